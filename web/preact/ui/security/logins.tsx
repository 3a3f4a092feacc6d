import type { BrowserLogin } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { security } from '#words/security'
import { devices } from '../../../contract/view/icons.ts'
import { Form } from '../form.tsx'
import { Icon } from '../icon.tsx'
import { OfWhat } from '../of-what.tsx'
import { When } from '../when.tsx'

interface LoginsProps {
  readonly logins: readonly BrowserLogin[]
  /** Whether the account has more logins than these. */
  readonly areMore: boolean
}

/** The browsers an account is logged in from; each but this one can be logged out. */
export function Logins({ logins, areMore }: LoginsProps) {
  return (
    <>
      <ul class="rows">
        {logins.map((login) => (
          <li key={login.id} class="row">
            <Login login={login} />
          </li>
        ))}
      </ul>
      {areMore && <p class="hint">{security.more}</p>}
      {logins.length === 1 && <p class="hint">{security.noOther}</p>}
      {logins.length > 1 && (
        <Form
          action={paths['logins.destroy-others']}
          method="DELETE"
          submit={buttons.logOutOthers}
          variant="plain"
        />
      )}
    </>
  )
}

function Login({ login }: { login: BrowserLogin }) {
  const { id, browser, address, loggedInAt, lastSeenAt, current, device } = login
  return (
    <>
      <Icon path={devices[device ?? 'other']} class="row-icon" />
      <div class="row-text">
        <div class="parts">
          <strong class="sentence">{browser}</strong>
          {current && <span class="tag">{security.thisBrowser}</span>}
        </div>
        <p id={`login-${id}`} class="hint parts">
          <span>{address}</span>
          <span>
            <When at={lastSeenAt} says={security.lastSeen} />
          </span>
          <span>
            <When at={loggedInAt} says={security.loggedIn} />
          </span>
        </p>
      </div>
      {!current && (
        <Form
          action={pathOf(paths['logins.destroy'], { id })}
          method="DELETE"
          submit={<OfWhat name={security.of(browser)}>{buttons.logOut}</OfWhat>}
          variant="plain"
          describedBy={`login-${id}`}
        />
      )}
    </>
  )
}

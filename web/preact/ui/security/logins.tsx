import type { BrowserLogin } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { security } from '#words/settings/security'
import { deviceIcons } from '../../../contract/view/icons.ts'
import { Form } from '../form.tsx'
import { Icon } from '../icon.tsx'
import { ButtonText } from '../button-text.tsx'
import { RelativeTime } from '../times.tsx'

interface LoginsProps {
  readonly logins: readonly BrowserLogin[]
  /** Whether the account has more logins than these. */
  readonly hasMore: boolean
}

/** The browsers an account is logged in from; each but this one can be logged out. */
export function Logins({ logins, hasMore }: LoginsProps) {
  return (
    <>
      <ul class="rows">
        {logins.map((login) => (
          <li key={login.id} class="row">
            <LoginRow login={login} />
          </li>
        ))}
      </ul>
      {hasMore && <p class="hint">{security.more}</p>}
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

function LoginRow({ login }: { login: BrowserLogin }) {
  const { id, browser, address, loggedInAt, lastSeenAt, current, device } = login
  return (
    <>
      <Icon path={deviceIcons[device ?? 'other']} class="row-icon" />
      <div class="row-text">
        <div class="parts">
          <strong class="sentence">{browser}</strong>
          {current && <span class="tag">{security.thisBrowser}</span>}
        </div>
        <p id={`login-${id}`} class="hint parts">
          <span>{address}</span>
          <span>
            <RelativeTime at={lastSeenAt} sentence={security.lastSeen} />
          </span>
          <span>
            <RelativeTime at={loggedInAt} sentence={security.loggedIn} />
          </span>
        </p>
      </div>
      {!current && (
        <Form
          action={pathOf(paths['logins.destroy'], { id })}
          method="DELETE"
          submit={<ButtonText name={security.of(browser)}>{buttons.logOut}</ButtonText>}
          variant="plain"
          describedBy={`login-${id}`}
        />
      )}
    </>
  )
}

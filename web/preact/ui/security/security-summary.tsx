import type { PageProps, User } from '../../../contract/pages.ts'
import { securityFindings, sections } from '../../../contract/view/security-summary.ts'
import { account } from '#words/account'
import { security } from '#words/settings/security'
import { RelativeTime } from '../times.tsx'

type Props = { readonly user: User } & Pick<
  PageProps<'Settings/Security'>,
  'logins' | 'moreLogins' | 'passkeys' | 'twoFactor' | 'apiTokens'
>

/** How the user logs in, what is missing for safety, and a link to each section with its state. */
export function SecuritySummary({ user, ...props }: Props) {
  const findings = securityFindings(user, props)
  return (
    <section class="summary" aria-labelledby="summary">
      <h2 id="summary" class="hint">
        {account.logIn}
      </h2>
      <p class="summary-ways">{account.waysIn(user.password, props.passkeys.length)}</p>
      {findings.length === 0 ? (
        <p class="badge sign" data-kind="success">
          {security.missing.nothing}
        </p>
      ) : (
        <ul class="lacks">
          {findings.map(({ text, href, severity }) => (
            <li key={text} class="sign" data-kind={severity}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
      <nav aria-label={security.parts.nav}>
        <ul class="sections">
          {sections(user, props).map(({ name, state, at, href }) => (
            <li key={name}>
              <a href={href} class="section-way">
                <span class="hint">{name}</span>
                <strong>{state}</strong>
                {at && (
                  <span class="hint">
                    <RelativeTime at={at} />
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </section>
  )
}

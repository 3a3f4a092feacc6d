import type { PageProps, User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { firstSteps } from '../../contract/view/first-steps.ts'
import { account } from '#words/account'
import { dashboard } from '#words/dashboard'
import { layout } from '#words/layout'
import { Start } from '../product/start.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { FirstSteps } from '../ui/first-steps.tsx'
import { Day } from '../ui/times.tsx'

/** First steps, the product, and the account at a glance. */
export function Dashboard({ auth, bell, ...facts }: PageProps<'Dashboard'>) {
  return (
    <>
      <h1 class="clamp">{dashboard.heading(auth.user.name)}</h1>
      <div class="dashboard">
        <div class="dashboard-main">
          <FirstSteps {...firstSteps(auth.user, facts)} />
          <Start />
        </div>
        <AccountGlance user={auth.user} passkeys={facts.passkeys} unread={bell.unread} />
      </div>
    </>
  )
}

interface AccountGlanceProps {
  readonly user: User
  readonly passkeys: number
  readonly unread: number
}

function AccountGlance({ user, passkeys, unread }: AccountGlanceProps) {
  return (
    <section class="panel" aria-labelledby="account">
      <h2 id="account">{dashboard.account}</h2>
      <div class="who">
        <Avatar user={user} />
        <p class="who-text">
          <strong class="clamp" dir="auto">
            {user.name}
          </strong>
          <span class="hint">{user.email}</span>
          <VerifiedBadge at={user.emailVerifiedAt} />
        </p>
      </div>
      <dl class="glance">
        <dt>{account.logIn}</dt>
        <dd>{account.waysIn(user.password, passkeys)}</dd>
        <dt>{account.twoFactor}</dt>
        <dd>{user.twoFactor ? account.on : account.off}</dd>
        <dt>{dashboard.notifications}</dt>
        <dd>
          <a href={paths['notifications.index']}>
            {unread > 0 ? layout.unread(unread) : dashboard.noneUnread}
          </a>
        </dd>
      </dl>
      <p class="panel-ways">
        <a href={paths['profile.edit']}>{dashboard.profile}</a>
        <a href={paths['security.edit']}>{dashboard.security}</a>
      </p>
    </section>
  )
}

function VerifiedBadge({ at }: { at: string | null }) {
  return (
    <span class="badge sign" data-kind={at ? 'success' : 'error'}>
      {at ? <Day at={at} sentence={dashboard.verifiedOn} /> : dashboard.notVerified}
    </span>
  )
}

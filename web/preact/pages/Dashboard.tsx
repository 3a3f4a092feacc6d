import type { PageProps, User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { labels } from '#words/labels'
import { dashboard } from '#words/dashboard'
import { layout } from '#words/layout'
import { dayOf } from '#words/times'

export function Dashboard({ auth, bell }: PageProps<'Dashboard'>) {
  // Only a verified user comes here; types say that any page may be a guest's.
  if (!auth.user) return null
  return (
    <>
      <h1 class="clamp">{dashboard.heading(auth.user.name)}</h1>
      <p class="lead">{dashboard.lead}</p>
      <div class="panels">
        <Account user={auth.user} />
        <section class="panel" aria-labelledby="notifications">
          <h2 id="notifications">{dashboard.notifications}</h2>
          {bell.unread > 0 && <p class="figure">{layout.unread(bell.unread)}</p>}
          <p class="hint">{bell.unread > 0 ? dashboard.waiting : dashboard.quiet}</p>
          <p class="panel-ways">
            <a href={paths['notifications.index']}>{dashboard.all}</a>
          </p>
        </section>
      </div>
    </>
  )
}

function Account({ user }: { user: User }) {
  return (
    <section class="panel" aria-labelledby="account">
      <h2 id="account">{dashboard.account}</h2>
      <dl>
        <dt>{labels.name}</dt>
        <dd>
          <bdi>{user.name}</bdi>
        </dd>
        <dt>{labels.email}</dt>
        <dd>
          {user.email}
          <Verified at={user.emailVerifiedAt} />
        </dd>
        <dt>{labels.password}</dt>
        <dd>{user.password ? dashboard.set : dashboard.none}</dd>
        <dt>{dashboard.twoFactor}</dt>
        <dd>{user.twoFactor ? dashboard.on : dashboard.off}</dd>
      </dl>
      <p class="panel-ways">
        <a href={paths['profile.edit']}>{dashboard.change}</a>
        <a href={paths['security.edit']}>{dashboard.secure}</a>
      </p>
    </section>
  )
}

function Verified({ at }: { at: string | null }) {
  return (
    <span class="badge sign" data-kind={at ? 'success' : 'error'}>
      {at ? dashboard.verifiedOn(dayOf(new Date(at))) : dashboard.notVerified}
    </span>
  )
}

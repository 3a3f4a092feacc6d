import type { User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'

/** Links for guests to register or log in, for users to the dashboard. */
export function LoginLinks({ user, create = '' }: { user: User | null; create?: 'primary' | '' }) {
  if (user) {
    return (
      <p class="ways">
        <a class={`button ${create}`} href={paths.dashboard}>
          {create ? buttons.dashboard : buttons.dashboardShort}
        </a>
      </p>
    )
  }
  const logIn = (
    <a class="button quiet" href={paths.login}>
      {buttons.logIn}
    </a>
  )
  return (
    <p class="ways">
      {!create && logIn}
      <a class={`button ${create}`} href={paths.register}>
        {buttons.createAccount}
      </a>
      {create && logIn}
    </p>
  )
}

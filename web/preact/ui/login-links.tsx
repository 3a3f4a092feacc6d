import type { User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'

/** Links for guests to register or log in, for users to the dashboard. */
export function LoginLinks({
  user,
  variant = '',
}: {
  user: User | null
  variant?: 'primary' | ''
}) {
  if (user) {
    return (
      <p class="ways">
        <a class={`button ${variant}`} href={paths.dashboard}>
          {variant ? buttons.dashboard : buttons.dashboardShort}
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
      {!variant && logIn}
      <a class={`button ${variant}`} href={paths.register}>
        {buttons.createAccount}
      </a>
      {variant && logIn}
    </p>
  )
}

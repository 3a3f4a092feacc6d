import { appName } from '../../contract/name.ts'
import type { User } from '../../contract/pages.ts'
import { path } from '../../contract/paths.ts'
import { buttons, titles } from '../../contract/words.ts'

/** The way back to the start, by mark and name. */
export function Brand({ to }: { to: 'home' | 'dashboard' }) {
  return (
    <a class="brand" href={path(to)}>
      <Mark />
      {appName}
    </a>
  )
}

/** The way on: a guest creates an account or logs in, a user goes to the dashboard. */
export function WaysIn({ user, create = '' }: { user: User | null; create?: 'primary' | '' }) {
  if (user) {
    return (
      <p class="ways">
        <a class={`button ${create}`} href={path('dashboard')}>
          {create ? buttons.dashboard : titles.Dashboard}
        </a>
      </p>
    )
  }
  const logIn = (
    <a class="button quiet" href={path('login')}>
      {buttons.logIn}
    </a>
  )
  return (
    <p class="ways">
      {!create && logIn}
      <a class={`button ${create}`} href={path('register')}>
        {buttons.createAccount}
      </a>
      {create && logIn}
    </p>
  )
}

/** The way out. */
export function LogOut() {
  return (
    <form method="post" action={path('logout')}>
      <button class="button" type="submit">
        {buttons.logOut}
      </button>
    </form>
  )
}

/** A keyhole that is also a person. `web/icon.svg` is the same drawing for the browser's tab. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M16 6a5.5 5.5 0 0 0-3 10.1L10.6 25a1 1 0 0 0 1 1.3h8.8a1 1 0 0 0 1-1.3L19 16.1A5.5 5.5 0 0 0 16 6Z" />
    </svg>
  )
}

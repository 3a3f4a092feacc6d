import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'

/** The way out. */
export function LogOut() {
  return (
    <form method="post" action={paths.logout}>
      <button class="button" type="submit">
        {buttons.logOut}
      </button>
    </form>
  )
}

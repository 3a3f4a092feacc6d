import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { HiddenFields } from '../hidden-fields.tsx'

/** The button that logs the user out. */
export function LogOut() {
  return (
    <form method="post" action={paths.logout}>
      <HiddenFields />
      <button class="button" type="submit">
        {buttons.logOut}
      </button>
    </form>
  )
}

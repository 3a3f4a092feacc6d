import { paths } from '../paths.ts'
import { buttons } from '#words/buttons'
import { tryAgain } from '#words/error'
import type { PageProps } from '../pages.ts'

interface Link {
  readonly href: string
  readonly says: string
}

/** Returns the one link of an error page: a retry where that may help, else the person's start page. */
export function errorLink({ auth, again }: Pick<PageProps<'Error'>, 'auth' | 'again'>): Link {
  if (again !== undefined) return { href: again, says: tryAgain }
  return auth.user
    ? { href: paths.dashboard, says: buttons.dashboard }
    : { href: paths.home, says: buttons.home }
}

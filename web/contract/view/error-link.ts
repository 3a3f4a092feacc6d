import { paths } from '../paths.ts'
import { buttons } from '#words/buttons'
import { tryAgain } from '#words/error'
import type { PageProps } from '../pages.ts'

interface Link {
  readonly href: string
  readonly text: string
}

/** Returns the one link of an error page: a retry where that may help, else the person's start page. */
export function errorLink({ auth, again }: Pick<PageProps<'Error'>, 'auth' | 'again'>): Link {
  if (again !== undefined) return { href: again, text: tryAgain }
  return auth.user
    ? { href: paths.dashboard, text: buttons.dashboard }
    : { href: paths.home, text: buttons.home }
}

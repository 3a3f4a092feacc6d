import { startClient } from './client.ts'
import type { GroupName, Groups } from '../../contract/groups.ts'
import type { Page } from '../../contract/pages.ts'
import type { Titles } from '../../contract/titles/title-of.ts'

/** Draws a page of a group, replacing the one before. */
export type Draw<Group> = (page: Page, group: Group) => void | Promise<void>

/** What a frontend draws pages with, and how that is loaded. */
interface LateDrawing<Group> {
  readonly groups: Readonly<Record<Exclude<GroupName, 'login'>, Load<Group>>>
  readonly login: Late<Group> & { readonly titles: Pick<Titles<GroupName>, Groups['login']> }
  /** Hydrates a page that the server drew, or draws the first one into an empty `#app`. */
  readonly app: () => Promise<{ readonly takeOver: (page: Page, group: Group) => Draw<Group> }>
}

type Load<Group> = () => Promise<{ readonly group: Group }>

interface Late<Group> {
  readonly load: Load<Group>
}

/**
 * Takes over the document's page; the login page only once it must be redrawn. Most visits begin there, and
 * as long as it stays as the server drew it the drawing code is not needed, which would weigh half as much as
 * all the rest, with some frontends more.
 */
export function startLate<Group extends { readonly titles: Partial<Titles<GroupName>> }>({
  groups,
  login,
  app,
}: LateDrawing<Group>): Promise<void> {
  let served: Page
  let drawing: Promise<Draw<Group>> | undefined

  async function begin(next: Page, load: Load<Group>): Promise<Draw<Group>> {
    const [{ takeOver }, { group }] = await Promise.all([app(), load()])
    if (next.component === served.component) return takeOver(served, group)
    document.querySelector('#app')?.replaceChildren()
    return takeOver(next, group)
  }

  const loaded = (load: Load<Group>) => async () => {
    const { group } = await load()
    return { titles: group.titles, load }
  }
  return startClient({
    groups: {
      login: () => login,
      none: loaded(groups.none),
      card: loaded(groups.card),
      app: loaded(groups.app),
      settings: loaded(groups.settings),
    },
    async draw(page, { load }, { first }) {
      if (first) served = page
      if (first && page.component === 'Auth/Login') return
      drawing ??= begin(page, load)
      const draw = await drawing
      const { group } = await load()
      await draw(page, group)
    },
  })
}

import { showPassword } from './controls.ts'
import { onForgotten } from './history-key.ts'
import { followLink } from './links.ts'
import { sendForm } from './forms.ts'
import { rememberScroll } from './entries.ts'
import { noteLeaving } from './leaving.ts'
import { enliven, reload, seeToTyped } from './parts.ts'
import { holdPresses } from './presses.ts'
import { open } from './shown-page.ts'
import { withSheet } from './sheets.ts'
import { onTyped } from './typed-text.ts'
import { restore } from './visits.ts'
import { wakeUp } from './waking.ts'
import { type GroupName, groupOf } from '../../contract/groups.ts'
import { type Titles, titleOf } from '../../contract/titles/title-of.ts'
import type { Page } from '../../contract/pages.ts'

/** A frontend, as the page client asks it to draw. What its markup may say is in `markup.md`. */
export interface Drawing<Group> {
  /**
   * The pages of each group with their titles, in a file of their own that is loaded when the first of them is shown.
   */
  readonly groups: Readonly<Record<GroupName, () => Group | Promise<Group>>>
  /** Draws a page of a group into `#app`, the first over the server's markup. */
  draw(page: Page, group: Group, how: { readonly first: boolean }): void | Promise<void>
}

/** What the client itself needs of a group. */
interface Titled {
  readonly titles: Partial<Titles<GroupName>>
}

/** Takes over the page that the document carries. */
export function startClient<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  const started = start(drawing)
  void holdPresses(started)
  started.catch(goWithout)
  return started
}

/** Leaves the page as without scripts: one that draws it could not be had. */
function goWithout(): void {
  const { dataset } = document.documentElement
  delete dataset.js
  delete dataset.passkeys
}

async function start<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  // Every document of the server has this element.
  const embedded = document.querySelector('#page') as Element
  const first = JSON.parse(embedded.textContent) as Page
  // The page would stay in the document after a logout, with the user in it.
  embedded.remove()
  noteLeaving()
  const isHere = await open(async (page) => {
    const name = groupOf(page.component)
    const group = await withSheet(name, drawing.groups[name]())
    return async (how) => {
      await drawing.draw(page, group, how)
      if (!how.first) void holdPresses(enliven())
      return titleOf(group.titles, page)
    }
  }, first)
  document.addEventListener('click', (event) => {
    showPassword(event)
    followLink(event)
  })
  document.addEventListener('submit', (event) => void sendForm(event))
  addEventListener('popstate', restore)
  if (!isHere) void restore(history)
  addEventListener('scroll', rememberScroll)
  onForgotten(() => void reload({ isUrgent: true }))
  wakeUp()
  onTyped(seeToTyped)
  document.documentElement.dataset.started = ''
  // After the listeners above: a field that is full already has its form sent at once.
  await enliven()
}

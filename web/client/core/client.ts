import { showPassword } from './forms/show-password.ts'
import { onForgotten } from './history/history-key.ts'
import { followLink } from './visits/links.ts'
import { sendForm } from './forms/send-form.ts'
import { storeScrollSoon } from './history/entries.ts'
import { watchLeaving } from './requests/leaving.ts'
import { enliven, reload, preserveTyped } from './parts.ts'
import { holdPresses } from './forms/held-presses.ts'
import { drawFirst } from './page/shown-page.ts'
import { withSheet } from './page/sheets.ts'
import { onActivity } from './page/typed-text.ts'
import { restore } from './visits/visits.ts'
import { wakeUp } from './visits/waking.ts'
import { type GroupName, groupOf } from '../../contract/groups.ts'
import { type Titles, titleOf } from '../../contract/titles/title-of.ts'
import type { Page } from '../../contract/pages.ts'

/** A frontend's interface to the page client. `markup.md` describes the attributes its markup may use. */
export interface Drawing<Group> {
  /** The pages of each group with their titles, one module per group, loaded when its first page is shown. */
  readonly groups: Readonly<Record<GroupName, () => Group | Promise<Group>>>
  /** Draws a page of a group into `#app`; the first one takes over the server's markup. */
  draw(page: Page, group: Group, how: { readonly first: boolean }): void | Promise<void>
}

/** The part of a group that the client itself uses. */
interface Titled {
  readonly titles: Partial<Titles<GroupName>>
}

/** Takes over the page embedded in the document. */
export function startClient<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  const started = start(drawing)
  void holdPresses(started)
  started.catch(goWithoutScripts)
  return started
}

/** Falls back to a page without scripts: the code that draws it could not be loaded. */
function goWithoutScripts(): void {
  const { dataset } = document.documentElement
  delete dataset.js
  delete dataset.passkeys
}

async function start<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  // Every document from the server has this element.
  const embedded = document.querySelector('#page') as Element
  const first = JSON.parse(embedded.textContent) as Page
  // Otherwise the user's data would stay in the document after a logout.
  embedded.remove()
  watchLeaving()
  const isHere = await drawFirst(async (page) => {
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
  addEventListener('scroll', storeScrollSoon)
  onForgotten(() => void reload({ isUrgent: true }))
  wakeUp()
  onActivity(preserveTyped)
  document.documentElement.dataset.started = ''
  // After the listeners above: a field that is already full submits its form immediately.
  await enliven()
}

import { scrollBack } from '../history/entries.ts'
import { clearedAt } from '../history/history-key.ts'
import { loadDocument, stayHere } from '../requests/leaving.ts'
import { reload } from '../parts.ts'

let clearedWhenLeft: string | null

/** Updates a page that the browser restores from its back/forward cache (bfcache). */
export function wakeUp(): void {
  addEventListener('pagehide', () => {
    clearedWhenLeft = localStorage.getItem(clearedAt)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    stayHere()
    if (localStorage.getItem(clearedAt) !== clearedWhenLeft) {
      // The history was cleared: hide the page until the server has said who may see what.
      document.body.hidden = true
      return loadDocument()
    }
    // WebKit shows such a page at its top.
    scrollBack()
    void reload()
  })
}

import { scrollBack } from './entries.ts'
import { clearedAt } from './history-key.ts'
import { load, stayHere } from './leaving.ts'
import { reload } from './parts.ts'

let asLeft: string | null

/** Brings a page up to date that the browser kept whole as it was left (bfcache), when the person goes back to it. */
export function wakeUp(): void {
  addEventListener('pagehide', () => {
    asLeft = localStorage.getItem(clearedAt)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    stayHere()
    if (localStorage.getItem(clearedAt) !== asLeft) {
      // Somebody logged out: nothing of the page may be seen until the server has said who may see what.
      document.body.hidden = true
      return load()
    }
    // WebKit shows such a page at its top.
    scrollBack()
    void reload()
  })
}

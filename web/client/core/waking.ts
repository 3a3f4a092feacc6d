import { scrollBack } from './entries.ts'
import { clearedAt } from './history-key.ts'
import { load, stayHere } from './leaving.ts'
import { reload } from './parts.ts'

let asLeft: string | null

/** Sees to a page that the browser puts away whole as it is left, and shows again as the person goes back to it. */
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
    // WebKit leaves it at the top.
    scrollBack()
    void reload()
  })
}

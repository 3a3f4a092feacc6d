import { sheetOf, type GroupName } from '../../contract/groups.ts'
import card from '../../styles/card.css'
import home from '../../styles/home.css'
import inside from '../../styles/inside.css'

const paths = { card, home, inside }
const applied = new Map<string, Promise<unknown>>()

/** Resolves with what is loading, once the group's stylesheet applies too: no page is drawn without its stylesheet. */
export async function withSheet<Loaded>(
  name: GroupName,
  loading: Loaded | Promise<Loaded>,
): Promise<Loaded> {
  const sheet = sheetOf(name)
  // Both at once: if neither can be loaded, one error is reported.
  const [loaded] = await Promise.all([loading, sheet && applySheet(paths[sheet])])
  return loaded
}

/** Has a stylesheet apply; resolves once it does. */
export function applySheet(href: string): Promise<unknown> {
  const sheet = applied.get(href) ?? apply(href)
  applied.set(href, sheet)
  return sheet
}

async function apply(href: string): Promise<void> {
  // A stylesheet of the document applies already: scripts wait for those.
  if (document.querySelector(`link[href="${href}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  document.head.append(link)
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => reject(new Error(href)))
  })
}

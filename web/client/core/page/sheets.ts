import type { GroupName, SheetPaths } from '../../../contract/groups.ts'
import card from '../../../styles/card.css'
import home from '../../../styles/home.css'
import inside from '../../../styles/inside.css'

// `sheetOf` as paths, checked by the compiler: names would weigh more.
const paths: SheetPaths = { none: home, card, app: inside, settings: inside }
const applied = new Map<string, Promise<unknown>>()

/** Resolves with the loaded module once the group's stylesheet is applied too: no page is drawn unstyled. */
export async function withSheet<Loaded>(
  name: GroupName,
  loading: Loaded | Promise<Loaded>,
): Promise<Loaded> {
  const path = paths[name]
  // In parallel, and as one promise: if neither can be loaded, one error is reported.
  const [loaded] = await Promise.all([loading, path && applySheet(path)])
  return loaded
}

/** Applies a stylesheet; resolves once it is loaded. */
export function applySheet(href: string): Promise<unknown> {
  const sheet = applied.get(href) ?? apply(href)
  applied.set(href, sheet)
  return sheet
}

async function apply(href: string): Promise<void> {
  // The document's own stylesheets are applied already: scripts wait for them.
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

const applied = new Map<string, Promise<unknown>>()

/** What is loading, once the stylesheet at a path applies too: no page is drawn without its own. */
export async function withSheet<Loaded>(href: string, loading: Promise<Loaded>): Promise<Loaded> {
  const sheet = applied.get(href) ?? apply(href)
  applied.set(href, sheet)
  await sheet
  return loading
}

async function apply(href: string): Promise<void> {
  // The document's own: scripts have waited for it.
  if (document.querySelector(`link[href="${href}"]`)) return
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  link.addEventListener('load', resolve)
  link.addEventListener('error', reject)
  document.head.append(link)
  await promise
}

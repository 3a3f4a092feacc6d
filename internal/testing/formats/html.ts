/** Removes the comments from any frontend's HTML that mark places for hydration. */
export function withoutComments(html: string): string {
  return html.replace(/<!--.*?-->/gs, '')
}

/** Returns the attributes of every element with a tag, in whatever order they are written. */
export function elementAttributes(html: string, tag: string): Readonly<Record<string, string>>[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b((?:[^>"]|"[^"]*")*)>`, 'g'))].map(
    ([, attributes = '']) =>
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = '']) => [
          name,
          value.replaceAll('&amp;', '&'),
        ]),
      ),
  )
}

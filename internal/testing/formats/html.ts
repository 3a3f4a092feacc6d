/** HTML as any frontend draws it, without the comments by which some find their places again. */
export function withoutMarks(html: string): string {
  return html.replace(/<!--.*?-->/gs, '')
}

/** The attributes of every element of a tag, in whatever order they are written. */
export function elements(html: string, tag: string): Readonly<Record<string, string>>[] {
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

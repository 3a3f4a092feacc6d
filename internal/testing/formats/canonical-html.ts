const tag = /<(\/?)([a-zA-Z][\w-]*)((?:[^>"]|"[^"]*")*?)(\/?)>|<!--.*?-->/gs
const attribute = /([^\s="/]+)(?:="([^"]*)")?/g
const empty = /^(?:area|br|col|hr|img|input|link|meta|wbr)$/
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Normalizes HTML to what a browser understands, one line per tag or text: without comments, with sorted attributes,
 * and the same characters written in the same way. Texts keep every space, and those separated only by a comment are
 * joined.
 */
export function canonicalHtml(html: string): string[] {
  const lines: string[] = []
  let text = ''
  let at = 0
  const endText = () => {
    if (text) lines.push(`"${text}"`)
    text = ''
  }
  for (const match of html.matchAll(tag)) {
    text += unescaped(html.slice(at, match.index))
    at = match.index + match[0].length
    const [, end, name, attributes = '', closed] = match
    if (name === undefined) continue
    endText()
    lines.push(end ? `</${name}>` : `<${[name, ...attributesIn(attributes)].join(' ')}>`)
    if (closed && !empty.test(name)) lines.push(`</${name}>`)
  }
  text += unescaped(html.slice(at))
  endText()
  return lines
}

function attributesIn(text: string): string[] {
  // A checkbox without a value sends `on`, so its empty value matters. A text field without one is empty anyway.
  const isChosen = /type="?(?:checkbox|radio)/.test(text)
  return [...text.matchAll(attribute)]
    .map(([, name = '', value = '']) => [name.toLowerCase(), unescaped(value)] as const)
    .map(([name, value]) => `${name}="${name === 'class' ? value.trim() : value}"`)
    .filter((written) => written !== 'class=""' && (written !== 'value=""' || isChosen))
    .toSorted()
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name: string) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(String(hex), 16))
    return named[name] ?? whole
  })
}

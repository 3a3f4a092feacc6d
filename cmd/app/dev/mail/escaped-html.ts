import { escapeHtml } from '../../../../internal/base/text/escape.ts'

/** Markup, as opposed to a text that must be escaped to become some. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | readonly Part[]

/** Markup with values in it: texts are escaped, markup and lists of it are put in as they are, undefined is nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, at) => text + written(parts[at])).join(''))
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escapeHtml(String(part))
}

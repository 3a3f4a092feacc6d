import { escapeHtml } from '../../../../internal/base/text/escape.ts'

/** Markup, as opposed to text, which must be escaped to become markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | readonly Part[]

/**
 * Builds markup from a template: texts are escaped, markup and lists of it inserted unchanged, and undefined omitted.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, at) => text + markupOf(parts[at])).join(''))
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escapeHtml(String(part))
}

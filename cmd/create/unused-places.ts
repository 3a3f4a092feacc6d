import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the text of `name-places.ts` without the patterns that match nothing in a folder's files, which its check
 * would report.
 */
export function removeUnused(text: string, folder: string): string {
  return text.replace(/\{ file: '([^']+)', patterns: \[\n([^]*?)\n {2}\] \}/g, (_, file, list) => {
    const fileText = readFileSync(join(folder, String(file)), 'utf8')
    const kept = String(list).replace(
      / *('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),? ?/g,
      (line, literal) => (matchesText(patternOf(String(literal)), fileText) ? line : ''),
    )
    return `{ file: '${file}', patterns: [\n${kept.replace(/\n\s*(?=\n)/g, '')}\n  ] }`
  })
}

/** Returns the text of a quoted literal. */
function patternOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, '$1')
}

function matchesText(pattern: string, text: string): boolean {
  return new RegExp(pattern.replace('<name>', '(?<name>[A-Za-z0-9]+)'), 'm').test(text)
}

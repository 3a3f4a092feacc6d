/** The variables of a `.env` file. `badLines` are the numbers of the lines that could not be read. */
interface DotEnv {
  readonly values: Readonly<Record<string, string>>
  readonly badLines: readonly number[]
}

/**
 * Reads lines of `NAME=value`, with or without `export`. The value has no quotes, single ones (taken as it stands) or
 * double ones (`\n`, `\"` and `\\` are escapes). A `#` begins a comment only at the start of a line or after a space,
 * so that a password may hold one. Variables are not expanded; if a name comes twice, the last line counts.
 */
export function readDotEnv(text: string): DotEnv {
  const values: Record<string, string> = Object.create(null) as Record<string, string>
  const badLines: number[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  for (const [at, line] of lines.entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line)
    const value = readValue(match?.[2] ?? '')
    if (match?.[1] && value !== undefined) values[match[1]] = value
    else badLines.push(at + 1)
  }
  return { values, badLines }
}

/** undefined when quotes are not closed, or something but a comment follows them. */
function readValue(text: string): string | undefined {
  if (text.startsWith("'")) return /^'([^']*)'\s*(?:\s#.*)?$/.exec(text)?.[1]
  if (!text.startsWith('"')) return text.replace(/(^|\s)#.*$/, '').trim()
  return /^"((?:[^"\\]|\\.)*)"\s*(?:\s#.*)?$/
    .exec(text)?.[1]
    ?.replace(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

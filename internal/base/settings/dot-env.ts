/** The variables of a `.env` file, and the numbers of the lines that could not be read. */
interface DotEnv {
  readonly values: Readonly<Record<string, string>>
  readonly badLines: readonly number[]
}

/**
 * Reads lines of `NAME=value`, with or without `export`. A value has no quotes, single quotes (taken
 * literally) or double quotes (with the escapes `\n`, `\"` and `\\`). A `#` begins a comment only at the
 * start of a line or after a space, so that a password may contain one. Variables are not expanded; the last
 * line with a name counts.
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

/** Returns undefined if quotes are not closed, or anything but a comment follows them. */
function readValue(text: string): string | undefined {
  if (text.startsWith("'")) return /^'([^']*)'\s*(?:\s#.*)?$/.exec(text)?.[1]
  if (!text.startsWith('"')) return text.replace(/(^|\s)#.*$/, '').trim()
  return /^"((?:[^"\\]|\\.)*)"\s*(?:\s#.*)?$/
    .exec(text)?.[1]
    ?.replace(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

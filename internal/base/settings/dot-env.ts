/** The variables of a `.env` file. `badLines` are the numbers of the lines that could not be read. */
interface DotEnv {
  readonly values: Readonly<Record<string, string>>
  readonly badLines: readonly number[]
}

/**
 * Reads lines of `NAME=value`, with or without `export`, in no quotes, single ones (as it stands) or double ones
 * (`\n`, `\"` and `\\` mean what they do elsewhere). A `#` begins a comment at the start of a line or after a space,
 * so that a password may hold one. Nothing is expanded; of two lines of one name the last counts.
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

/** undefined when quotes are open, or something stands behind them. */
function readValue(text: string): string | undefined {
  if (text.startsWith("'")) return /^'([^']*)'\s*(?:\s#.*)?$/.exec(text)?.[1]
  if (!text.startsWith('"')) return text.replace(/(^|\s)#.*$/, '').trim()
  return /^"((?:[^"\\]|\\.)*)"\s*(?:\s#.*)?$/
    .exec(text)?.[1]
    ?.replace(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

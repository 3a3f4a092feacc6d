// To MySQL `--` begins a comment only before white space, and what stands in `/*! … */` is run (MySQL manual: Comments).
const comment = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*(?!!)[\s\S]*?\*\//
// A text in quotes, a comment, the end of a statement, or anything else.
const piece = new RegExp(
  `'(?:[^'\\\\]|\\\\.|'')*'|"(?:[^"]|"")*"|\`[^\`]*\`|${comment.source}|/\\*![\\s\\S]*?\\*/|;|[^'"\`;#/-]+|[\\s\\S]`,
  'g',
)

/** The statements of a file of SQL, cut at each ;. So a body of several statements, as of a trigger, is cut too. */
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [text] of sql.matchAll(piece))
    if (text === ';') statements.push('')
    else statements[statements.length - 1] += text
  return statements.map((text) => text.trim()).filter(hasMore)
}

/** Whether there is more than comments. */
function hasMore(statement: string): boolean {
  return statement.replace(new RegExp(comment, 'g'), '').trim() !== ''
}

// In MySQL `--` begins a comment only before white space, and `/*! … */` is executed (MySQL manual: Comments).
const comment = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*(?!!)[\s\S]*?\*\//
// A quoted text, a comment, the end of a statement, or anything else.
const piece = new RegExp(
  `'(?:[^'\\\\]|\\\\.|'')*'|"(?:[^"]|"")*"|\`[^\`]*\`|${comment.source}|/\\*![\\s\\S]*?\\*/|;|[^'"\`;#/-]+|[\\s\\S]`,
  'g',
)

/** Splits SQL at each ;, and so also the body of a compound statement, such as a trigger's. */
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [text] of sql.matchAll(piece))
    if (text === ';') statements.push('')
    else statements[statements.length - 1] += text
  return statements.map((text) => text.trim()).filter(hasMore)
}

/** Whether a text contains more than comments. */
function hasMore(statement: string): boolean {
  return statement.replace(new RegExp(comment, 'g'), '').trim() !== ''
}

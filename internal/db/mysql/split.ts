// What stands in quotes, what is a comment, the end of a statement, and whatever else.
const piece =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"`;#/-]+|[\s\S]/g

/** The statements of a file of SQL. A body with statements of its own, as a trigger's, is none of them. */
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [text] of sql.matchAll(piece))
    if (text === ';') statements.push('')
    else statements[statements.length - 1] += text
  return statements.map((text) => text.trim()).filter(hasMore)
}

/** Whether there is more than comments. */
function hasMore(statement: string): boolean {
  return statement.replace(/--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== ''
}

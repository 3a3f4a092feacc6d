import { errorCode } from '../../base/error-code.ts'
import { fail, type Finding } from '../../base/finding.ts'
import { adviceAmong, type Advices } from '../advice.ts'
import { quoted } from '../statement.ts'
import { check } from './findings.ts'

interface Trying {
  script(text: string): Promise<unknown>
  end(): Promise<void>
}

// By whichever code the server says it.
const denied = /^(42501|ER_TABLEACCESS_DENIED_ERROR)$/

/**
 * Whether this user may write each of the tables, as a server of theirs has to. What is tried, on a connection that may
 * write, changes nothing.
 */
export async function rightsFindings(
  open: () => Promise<Trying>,
  tables: readonly string[],
  advices: Advices,
): Promise<Finding[]> {
  const closed: { table: string; error: unknown }[] = []
  const connection = await open()
  try {
    for (const table of tables) {
      const error = await errorOfWriting(connection, table)
      if (denied.test(errorCode(error))) closed.push({ table, error })
    }
  } finally {
    await connection.end()
  }
  const [first] = closed
  if (!first) return []
  const names = closed.map(({ table }) => table).join(', ')
  return [
    fail(
      check,
      `The user in DB_URL may not write ${names}: no server of theirs would start.`,
      adviceAmong(advices, first.error) ?? '',
    ),
  ]
}

/** Rolled back: a trigger may do something even for no row. */
async function errorOfWriting(connection: Trying, table: string): Promise<unknown> {
  const name = quoted(table)
  await connection.script('BEGIN')
  try {
    await connection.script(`DELETE FROM ${name} WHERE 1 = 0`)
    await connection.script(`INSERT INTO ${name} SELECT * FROM ${name} WHERE 1 = 0`)
    return undefined
  } catch (error) {
    return error
  } finally {
    await connection.script('ROLLBACK')
  }
}

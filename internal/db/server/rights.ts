import { errorCode } from '../../base/error-code.ts'
import { errorSentence } from '../../base/error-message.ts'
import { fail, type Finding } from '../../base/finding.ts'
import { adviceAmong, type Advices } from '../advice.ts'
import { quoted } from '../statement.ts'
import type { Queryable } from './queryable.ts'
import { check } from './findings.ts'
import { causeOf } from './unreachable.ts'

interface Trying extends Queryable {
  script(text: string): Promise<unknown>
  end(): Promise<void>
}

interface InspectedTables {
  /** The SQL expression for the schema of the tables. */
  readonly schema: string
  readonly tables: readonly string[]
}

// The error codes of the kinds of servers.
const denied = /^(42501|ER_TABLEACCESS_DENIED_ERROR)$/
const waited = /^(57014|55P03|ER_LOCK_WAIT_TIMEOUT)$/

/**
 * Checks whether the user in DB_URL may write to every table, as an app server must. Runs statements that change
 * nothing, on a connection that may write.
 */
export async function rightsFindings(
  open: () => Promise<Trying>,
  { schema, tables }: InspectedTables,
  advices: Advices,
): Promise<Finding[]> {
  const locked: Finding[] = []
  const denials: { table: string; error: unknown }[] = []
  const connection = await open()
  try {
    for (const table of tables) {
      const column = await firstColumn(connection, { schema, table })
      const error = await errorOfWriting(connection, table, column)
      if (denied.test(errorCode(error))) denials.push({ table, error })
      if (waited.test(errorCode(causeOf(error)))) {
        locked.push(lockedFinding(table, error, advices))
        // Others may be locked too, and each would be waited for.
        break
      }
    }
  } finally {
    await connection.end()
  }
  const [first] = denials
  if (!first) return locked
  const names = denials.map(({ table }) => table).join(', ')
  return [
    fail(
      check,
      `The user in DB_URL may not write ${names}: servers fail there.`,
      adviceAmong(advices, first.error) ?? '',
    ),
    ...locked,
  ]
}

function lockedFinding(table: string, error: unknown, advices: Advices): Finding {
  return fail(
    check,
    `Whether the user in DB_URL may write ${table} could not be seen: ${errorSentence(error)}`,
    adviceAmong(advices, error) ?? '',
  )
}

/** Rolled back: a trigger may act even when no row is affected. */
async function errorOfWriting(
  connection: Trying,
  table: string,
  column: string | undefined,
): Promise<unknown> {
  const name = quoted(table)
  await connection.script('BEGIN')
  try {
    await connection.script(`DELETE FROM ${name} WHERE 1 = 0`)
    await connection.script(`INSERT INTO ${name} SELECT * FROM ${name} WHERE 1 = 0`)
    if (column !== undefined) {
      const set = `${quoted(column)} = ${quoted(column)}`
      await connection.script(`UPDATE ${name} SET ${set} WHERE 1 = 0`)
    }
    return undefined
  } catch (error) {
    return error
  } finally {
    await connection.script('ROLLBACK')
  }
}

/** undefined for a table whose columns the user may not even see. */
async function firstColumn(
  connection: Trying,
  { schema, table }: { schema: string; table: string },
): Promise<string | undefined> {
  const [first] = await connection.ask<{ name: string }>(`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = ${schema} AND table_name = '${table.replaceAll("'", "''")}'
    ORDER BY ordinal_position LIMIT 1`)
  return first?.name
}

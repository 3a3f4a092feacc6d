import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Held, Replacement } from '../snapshot.ts'
import { quoted } from '../server/asking.ts'
import { serverOf } from './address.ts'
import { beginLong, Connection } from './connection.ts'
import { lockKeys } from './locks.ts'
import { newSchema } from './new-schema.ts'
import { tablesIn } from './tables.ts'

/** Keeps every other process of ours out of the database. All that is done meanwhile is one transaction. */
export async function holdDatabase(
  database: DatabaseAddress,
  now: Date,
): Promise<Held | undefined> {
  const connection = await Connection.open(serverOf(database))
  try {
    await connection.script(beginLong())
    const [is] = (await connection.ask(`
      SELECT pg_try_advisory_xact_lock(${lockKeys.open}) AS alone,
        current_schema() AS schema`)) as unknown as [{ alone: boolean; schema: string | null }]
    if (is.schema === null)
      throw Object.assign(new Error('no schema has been selected to restore in'), { code: '3F000' })
    if (is.alone) return new HeldDatabase(connection, { schema: is.schema, now })
    await connection.end()
    return undefined
  } catch (error) {
    await connection.end()
    throw error
  }
}

interface Place {
  /** Where the app looks for its tables. */
  readonly schema: string
  readonly now: Date
}

class HeldDatabase implements Held {
  readonly #connection: Connection
  readonly #place: Place

  constructor(connection: Connection, place: Place) {
    this.#connection = connection
    this.#place = place
  }

  async build(migrations: Parameters<Held['build']>[0]): Promise<Replacement> {
    const schema = `restore_${stamp(this.#place.now)}`
    const made = await newSchema(this.#connection, schema, migrations)
    return { ...made, putInPlace: () => this.#replaceBy(schema) }
  }

  /** What was not put in place was seen by nobody. */
  async end(): Promise<void> {
    try {
      // Before it is closed, which the server sees a moment later.
      if (!this.#connection.lost.aborted) await this.#connection.script('ROLLBACK')
    } finally {
      await this.#connection.end()
    }
  }

  /** Tables, their indexes and sequences go with their rows, which no other statement has to copy. */
  async #replaceBy(fresh: string): Promise<string | undefined> {
    const { schema, now } = this.#place
    const aside = `before_restore_${stamp(now)}`
    const made = await tablesIn(this.#connection)
    await this.#connection.script(`SET LOCAL search_path = ${quoted(schema)}`)
    const old = await tablesIn(this.#connection)
    if (old.length > 0) {
      await this.#connection.script(`CREATE SCHEMA ${quoted(aside)}`)
      await this.#move(old, schema, aside)
    }
    await this.#move(made, fresh, schema)
    await this.#connection.script(`DROP SCHEMA ${quoted(fresh)}`)
    await this.#connection.ask('COMMIT')
    return old.length > 0 ? aside : undefined
  }

  async #move(tables: readonly string[], from: string, to: string): Promise<void> {
    for (const table of tables)
      await this.#connection.script(
        `ALTER TABLE ${quoted(from)}.${quoted(table)} SET SCHEMA ${quoted(to)}`,
      )
  }
}

function stamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '')
}

import type { DatabaseAddress } from '../../../base/settings/config.ts'
import type { ServerUrl } from '../../server/url.ts'
import { undoneBetween } from '../../alike/undone.ts'
import type { LockedDatabase, Replacement, Snapshots, Undone } from '../../snapshot.ts'
import { rowOf } from '../../server/answer.ts'
import { quoted } from '../../statement.ts'
import { serverOf } from '../address.ts'
import { Connection } from '../connection.ts'
import { closeFreeing, limitSilence } from '../connection/guard.ts'
import { keepTalking } from '../../server/keep-talking.ts'
import { runReportingHolders, type HolderReport } from '../../server/long-wait.ts'
import { holderReport } from './holders.ts'
import { openLocks } from '../locks.ts'
import { makeObjects, refuseForeign, takeObjects } from './objects.ts'
import { newSchema } from './new-schema.ts'

/** Keeps every other process of ours out of the database. */
export async function holdDatabase(
  database: DatabaseAddress,
  now: Date,
  advise: Parameters<Snapshots['hold']>[2] = () => {},
): Promise<LockedDatabase | undefined> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  try {
    const locks = JSON.stringify(openLocks(url))
    const answer = rowOf(
      await connection.ask<{ lacking: number }>(
        `SELECT count(*) AS lacking FROM JSON_TABLE(?, '$[*]' COLUMNS (name VARCHAR(64) PATH '$')) AS locks
      WHERE GET_LOCK(name, 0) = 0`,
        [locks],
      ),
    )
    if (answer.lacking > 0) {
      await closeFreeing(connection)
      return undefined
    }
    await limitSilence(connection)
    // While photos are put back it has nothing else to say.
    keepTalking(connection)
    return await HeldDatabase.begin(connection, { url, advise }, now)
  } catch (error) {
    await closeFreeing(connection)
    throw error
  }
}

interface RestoreOptions {
  readonly url: ServerUrl
  readonly advise: HolderReport['advise']
}

class HeldDatabase implements LockedDatabase {
  readonly #connection: Connection
  readonly #options: RestoreOptions
  readonly #now: Date

  private constructor(connection: Connection, options: RestoreOptions, now: Date) {
    this.#connection = connection
    this.#options = options
    this.#now = now
  }

  static async begin(
    connection: Connection,
    options: RestoreOptions,
    now: Date,
  ): Promise<HeldDatabase> {
    const database = new HeldDatabase(connection, options, now)
    await database.#clearAway()
    return database
  }

  async build(migrations: Parameters<LockedDatabase['build']>[0]): Promise<Replacement> {
    await refuseForeign(this.#connection)
    const schema = `${this.#building}${stamp(this.#now)}`
    const replacement = await newSchema(this.#connection, schema, migrations)
    const { url, advise } = this.#options
    const replace = () => this.#replaceBy(schema)
    return {
      ...replacement,
      undone: () => this.#undone(url.database),
      putInPlace: () => runReportingHolders(this.#connection, holderReport(url, advise), replace),
    }
  }

  async end(): Promise<void> {
    try {
      if (!this.#connection.lost.aborted) await this.#clearAway()
    } finally {
      await closeFreeing(this.#connection)
    }
  }

  /** undefined if there is no table of accounts. */
  async #undone(database: string): Promise<Undone | undefined> {
    const [users] = await this.#connection.ask<{ lastId: number }>(
      `SELECT coalesce(auto_increment - 1, 0) AS last_id FROM information_schema.tables
      WHERE table_schema = ? AND table_name = 'users'`,
      [database],
    )
    const before = `${quoted(database)}.users`
    const query = <Row>(text: string) => this.#connection.ask<Row>(text)
    return users && undoneBetween(query, { before, after: 'users', lastId: users.lastId })
  }

  /**
   * The name prefix of databases being built. No database kept by a restore has it, not even one of `accounts` when
   * this database is called `accounts_before`.
   */
  get #building(): string {
    return `${this.#options.url.database}_restoring_`
  }

  /**
   * Drops what was built but not put in place, even by a killed restore, and recreates the objects that it had dropped
   * from the database. The prefix must be followed by a time, since other databases' names may begin with it.
   */
  async #clearAway(): Promise<void> {
    const start = this.#building
    const abandoned = await this.#connection.ask<{ name: string }>(
      `SELECT schema_name AS name FROM information_schema.schemata
      WHERE LEFT(schema_name, ?) = ? AND SUBSTRING(schema_name, ?) REGEXP '^[0-9]{17}$'`,
      [start.length, start, start.length + 1],
    )
    for (const { name } of abandoned) await this.#connection.script(`DROP DATABASE ${quoted(name)}`)
    await this.#connection.script(`USE ${quoted(this.#options.url.database)}`)
    await makeObjects(this.#connection)
  }

  /** Swaps the old tables for the new ones in one statement, which the server executes atomically. */
  async #replaceBy(fresh: string): Promise<string | undefined> {
    const { database } = this.#options.url
    const aside = `${database}_before_restore_${stamp(this.#now)}`
    await this.#connection.script(`USE ${quoted(database)}`)
    await takeObjects(this.#connection)
    const freshTables = await this.#tableNames(fresh)
    const old = await this.#tableNames(database)
    if (old.length > 0) await this.#connection.script(`CREATE DATABASE ${quoted(aside)}`)
    const moves = [...old.map(move(database, aside)), ...freshTables.map(move(fresh, database))]
    await this.#connection.script(`RENAME TABLE ${moves.join(', ')}`)
    await makeObjects(this.#connection)
    return old.length > 0 ? aside : undefined
  }

  /** Returns the names of all tables, including `underWay` and `objectsToMake`: unfinished work moves with them. */
  async #tableNames(schema: string): Promise<string[]> {
    const rows = await this.#connection.ask<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? ORDER BY table_name',
      [schema],
    )
    return rows.map(({ name }) => name)
  }
}

function move(from: string, to: string): (table: string) => string {
  return (table) => `${quoted(from)}.${quoted(table)} TO ${quoted(to)}.${quoted(table)}`
}

function stamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '')
}

import type { DatabaseAddress } from '../../../base/settings/config.ts'
import { undoneBetween } from '../../alike/undone.ts'
import type { LockedDatabase, Replacement, Snapshots, Undone } from '../../snapshot.ts'
import { rowOf } from '../../server/answer.ts'
import { quoted } from '../../statement.ts'
import { serverOf } from '../address.ts'
import { Connection } from '../connection.ts'
import { beginLong } from '../connection/limits.ts'
import { runReportingHolders, type HolderReport } from '../../server/long-wait.ts'
import { holderReport } from './holders.ts'
import { lockKeys } from '../locks.ts'
import { newTables } from './new-tables.ts'
import { moveTo, objectsIn } from './objects.ts'
import { otherOwner } from './table-owner.ts'
import { tableNames } from './tables.ts'

/** Keeps every other process of ours out of the database. Everything done meanwhile is one transaction. */
export async function holdDatabase(
  database: DatabaseAddress,
  now: Date,
  advise: Parameters<Snapshots['hold']>[2] = () => {},
): Promise<LockedDatabase | undefined> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  try {
    await connection.script(beginLong())
    const answer = rowOf(
      await connection.ask<{ alone: boolean; schema: string | null }>(`
      SELECT pg_try_advisory_xact_lock(${lockKeys.open}) AS alone,
        current_schema() AS schema`),
    )
    if (answer.schema === null)
      throw Object.assign(new Error('no schema has been selected to restore in'), { code: '3F000' })
    if (answer.alone) {
      const owner = await otherOwner(connection)
      return new HeldDatabase(connection, { now, owner, holderReport: holderReport(url, advise) })
    }
    await connection.end()
    return undefined
  } catch (error) {
    await connection.end()
    throw error
  }
}

interface RestoreOptions {
  readonly now: Date
  /** The role that owns the tables, if that is not the user. */
  readonly owner: string | undefined
  readonly holderReport: HolderReport
}

class HeldDatabase implements LockedDatabase {
  readonly #connection: Connection
  readonly #options: RestoreOptions

  constructor(connection: Connection, options: RestoreOptions) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Moves the existing tables, with everything that belongs to them, to a schema of their own, and creates new ones in
   * their place. Invisible to others until `putInPlace`. If something cannot be moved or created, throws before
   * reading any row.
   */
  async build(migrations: Parameters<LockedDatabase['build']>[0]): Promise<Replacement> {
    const { owner } = this.#options
    const aside = await this.#setAside()
    // The creator of the new tables owns them: if that were another user, the servers could not use them.
    if (owner !== undefined) await this.#connection.actFor(owner)
    const replacement = await newTables(this.#connection, migrations)
    return {
      ...replacement,
      undone: async () => (aside === undefined ? undefined : this.#undone(aside)),
      putInPlace: async () => {
        await this.#connection.ask('COMMIT')
        return aside
      },
    }
  }

  /** Rolls back what was not put in place, and so was never visible. */
  async end(): Promise<void> {
    try {
      // Not left to closing the connection, which the server notices a moment later.
      if (!this.#connection.lost.aborted) await this.#connection.script('ROLLBACK')
    } finally {
      await this.#connection.end()
    }
  }

  /** Uses a savepoint: a failed statement would otherwise end the whole transaction. */
  async #undone(aside: string): Promise<Undone> {
    const before = `${quoted(aside)}.users`
    await this.#connection.script('SAVEPOINT undone')
    try {
      const { lastId } = rowOf(
        await this.#connection.ask<{ lastId: number }>(
          `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass), 0) AS last_id`,
          [before],
        ),
      )
      const query = <Row>(text: string) => this.#connection.ask<Row>(text)
      return await undoneBetween(query, { before, after: 'users', lastId })
    } catch (error) {
      await this.#connection.script('ROLLBACK TO SAVEPOINT undone')
      throw error
    }
  }

  /**
   * Moves everything to a new schema and returns its name; undefined if there are no tables. Indexes, sequences and
   * triggers move with their tables, and no rows are copied.
   */
  async #setAside(): Promise<string | undefined> {
    if ((await tableNames(this.#connection)).length === 0) return undefined
    const { now, owner, holderReport } = this.#options
    const aside = `before_restore_${stamp(now)}`
    const belonging = owner === undefined ? '' : `AUTHORIZATION ${quoted(owner)}`
    await this.#connection.script(`CREATE SCHEMA ${quoted(aside)} ${belonging}`)
    const objects = await objectsIn(this.#connection)
    await runReportingHolders(this.#connection, holderReport, () =>
      moveTo(this.#connection, aside, objects),
    )
    return aside
  }
}

function stamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '')
}

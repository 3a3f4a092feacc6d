import { chmodSync, realpathSync, rmSync } from 'node:fs'
import { fileOf } from './address.ts'
import type { Contents, Copies, Held } from '../copies.ts'
import type { RanMigration } from '../migrate.ts'
import { codeOf, openAlone, openToLook, openWriter, type Connection } from './connection.ts'

// Milliseconds, as every other opening waits.
const wait = 5000

/** Faults that are told; there may be as many as rows. */
const mostFaults = 5

export const copies: Copies = {
  async copy(database, to) {
    const connection = await openWriter(fileOf(database), wait)
    try {
      // One reading transaction, which no writer waits for. What was deleted does not come along.
      connection.prepare('VACUUM INTO ?').run(to)
      chmodSync(to, 0o600)
    } finally {
      connection.close()
    }
  },

  inspect(file) {
    try {
      const connection = openToLook(file, true)
      try {
        return contentsOf(connection)
      } finally {
        connection.close()
      }
    } catch (error) {
      if (!/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(codeOf(error))) throw error
      return { faults: [sentence(String(error))], migrations: [], rows: {}, photos: [] }
    }
  },

  hold(database) {
    const path = fileOf(database)
    const connection = openAlone(path)
    return connection && held(realpathSync(path), connection)
  },
}

/** As `faultsIn`; that a page cannot even be read is a fault like any other. */
export function damageIn(connection: Connection, quick: boolean): string[] {
  try {
    return faultsIn(connection, quick)
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))) throw error
    return [sentence((error as Error).message)]
  }
}

/** What is wrong with the pages and rows of a database, in sentences. `quick` leaves out the comparison with the indexes. */
function faultsIn(connection: Connection, quick = false): string[] {
  const check = `${quick ? 'quick_check' : 'integrity_check'}(${mostFaults})`
  const found = connection.prepare(`PRAGMA ${check}`).pluck().all() as string[]
  // Several may come as one text, under a headline.
  const lines = found
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^(ok|\*\*\*.*)$/.test(line))
  const faults = lines.slice(0, mostFaults)
  if (faults.length > 0) return faults.map(sentence)
  const orphans = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  return orphans
    .slice(0, mostFaults)
    .map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is gone.`)
}

/** Those on record; none where the table is not there yet. */
export function ranMigrations(connection: Connection): RanMigration[] {
  if (!tables(connection).includes('migrations')) return []
  return connection
    .prepare('SELECT name, hash FROM migrations ORDER BY name')
    .all() as RanMigration[]
}

function contentsOf(connection: Connection): Contents {
  const faults = faultsIn(connection)
  const names = tables(connection)
  if (faults.length === 0 && !names.includes('users')) faults.push('It has no table of accounts.')
  if (faults.length > 0) return { faults, migrations: [], rows: {}, photos: [] }
  const count = (table: string) => {
    const sql = `SELECT count(*) FROM "${table.replaceAll('"', '""')}"`
    return connection.prepare(sql).pluck().get() as number
  }
  const photos = 'SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id'
  return {
    faults,
    migrations: ranMigrations(connection),
    rows: Object.fromEntries(names.map((name) => [name, count(name)])),
    photos: connection.prepare(photos).pluck().all() as string[],
  }
}

function tables(connection: Connection): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  return connection.prepare(sql).pluck().all() as string[]
}

function held(path: string, connection: Connection): Held {
  return {
    path,
    isEmpty: tables(connection).length === 0,
    settle() {
      // Which also moves what the log holds into it, and on to the disk.
      const mode = connection.pragma('journal_mode = DELETE', { simple: true })
      if (mode !== 'delete') throw new Error(`The database ${path} could not be set aside.`)
      // Else it deletes the journal as it closes, by a name that is another database's by then.
      connection.pragma('journal_mode = OFF')
      // What any of them says must not be taken for part of the next file of this name.
      for (const beside of ['-journal', '-wal', '-shm']) rmSync(path + beside, { force: true })
    },
    end: () => connection.close(),
  }
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

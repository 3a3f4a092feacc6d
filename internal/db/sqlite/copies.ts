import { chmodSync, realpathSync, rmSync } from 'node:fs'
import { fileOf } from './address.ts'
import type { Contents, Copies, Held } from '../copies.ts'
import { wholeSentence } from '../../base/whole-sentence.ts'
import { codeOf, openAlone, openToLook, openWriter, type Connection } from './connection.ts'
import { faultsIn } from './damage.ts'
import { ranMigrations } from './migrations.ts'
import { tables } from './tables.ts'

// Milliseconds, as every other opening waits.
const wait = 5000

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
      return { faults: [wholeSentence(String(error))], migrations: [], rows: {}, photos: [] }
    }
  },

  hold(database) {
    const path = fileOf(database)
    const connection = openAlone(path)
    return connection && held(realpathSync(path), connection)
  },
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

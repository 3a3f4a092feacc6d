import { realpathSync, rmSync, statSync } from 'node:fs'
import { link, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../../base/error-code.ts'
import type { DatabaseAddress } from '../../../base/settings/config.ts'
import { syncFile, syncFolder } from '../../../base/program/durable.ts'
import { makeSetOwner, type SetOwner } from '../../../base/program/owner.ts'
import { sweep } from '../../../base/program/leftovers.ts'
import { undoneBetween } from '../../alike/undone.ts'
import type { LockedDatabase, Replacement, Snapshots, Undone } from '../../snapshot.ts'
import { addresses, fileOf } from '../address.ts'
import { openAlone, type Connection } from '../connection.ts'
import { isDamage } from './damage.ts'
import { keepNoLog } from './keep-no-log.ts'
import { isFilled } from './named.ts'
import { newFile, type NewFile } from './new-file.ts'
import { orClosed } from '../connection/or-closed.ts'
import { lastIdsOf } from '../schema/columns.ts'
import { tableNames } from '../schema/tables.ts'

/** Keeps every other process out of the database file; creates an empty one to hold if there is none. */
export async function holdFile(
  database: DatabaseAddress,
  now: Date,
  advise: Parameters<Snapshots['hold']>[2] = () => {},
): Promise<LockedDatabase | undefined> {
  const wasThere = await addresses.isThere(database)
  // A killed run may have left an empty file owned by whoever ran it: the owner of the folder counts then.
  const isKept = wasThere && statSync(fileOf(database)).size > 0
  const setOwner = await makeSetOwner(isKept ? fileOf(database) : dirname(fileOf(database)), advise)
  const connection = openAlone(fileOf(database))
  if (!connection) return undefined
  return orClosed(connection, () => {
    const path = realpathSync(fileOf(database))
    const createdInode = wasThere ? undefined : statSync(path).ino
    return new HeldFile(connection, { path, createdInode, setOwner, now })
  })
}

const freshName = 'new.db'

interface RestoreOptions {
  readonly path: string
  /** The inode of the empty file that was created to be held. */
  readonly createdInode: number | undefined
  readonly setOwner: SetOwner
  readonly now: Date
}

class HeldFile implements LockedDatabase {
  readonly #connection: Connection
  readonly #options: RestoreOptions
  #folder: string | undefined
  #built: NewFile | undefined

  constructor(connection: Connection, options: RestoreOptions) {
    this.#connection = connection
    this.#options = options
  }

  async build(migrations: Parameters<LockedDatabase['build']>[0]): Promise<Replacement> {
    const { path, setOwner, now } = this.#options
    return roomy(path, async () => {
      const prefix = `${path}.restore-`
      // An existing folder is left over from a dead process: a live one would hold the database.
      await sweep(prefix, { since: now, files: addresses.filesOf({ file: freshName }) })
      // Beside the database, so that the new file only has to be renamed.
      this.#folder = await mkdtemp(prefix)
      const fresh = join(this.#folder, freshName)
      const built = await newFile(fresh, migrations)
      this.#built = built
      return {
        tables: built.tables,
        put: (table, rows) => roomy(path, () => built.put(table, rows)),
        check: () => roomy(path, () => built.check()),
        photos: () => built.photos(),
        undone: async () => {
          // `built` holds a lock on the file until it is closed.
          built.close()
          return undoneBy(this.#connection, fresh)
        },
        putInPlace: () =>
          roomy(path, async () => {
            built.close()
            // Before the new file gets the database's name: a server may be waiting to open it.
            await setOwner(fresh)
            await syncFile(fresh)
            return this.#replaceBy(fresh)
          }),
      }
    })
  }

  async end(): Promise<void> {
    const { path, createdInode } = this.#options
    if (createdInode !== undefined) await removeEmpty(path, createdInode)
    this.#connection.close()
    this.#built?.close()
    // The next restore removes a leftover folder. A failure to remove it must not hide the original error.
    if (this.#folder !== undefined)
      await rm(this.#folder, { recursive: true, force: true }).catch(() => {})
  }

  /**
   * Links the old database to a second name, then renames the new file over the first: a database exists at every
   * moment.
   */
  async #replaceBy(fresh: string): Promise<string | undefined> {
    const { path, now } = this.#options
    const aside = `${path}.before-restore-${stamp(now)}`
    const suffixes = settle(this.#connection, path)
    for (const end of suffixes) await nameBesides(path + end, aside + end)
    // Nothing in these files may be mistaken for part of the next file of this name.
    for (const end of sideFiles) rmSync(path + end, { force: true })
    await rename(fresh, path)
    await syncFolder(dirname(path))
    return suffixes.length > 0 ? aside : undefined
  }
}

async function undoneBy(connection: Connection, fresh: string): Promise<Undone | undefined> {
  if (tableNames(connection).length === 0) return undefined
  const lastId = lastIdsOf(connection).get('users') ?? 0
  connection.prepare('ATTACH ? AS fresh').run(fresh)
  const query = async <Row>(text: string) => connection.prepare(text).all() as Row[]
  try {
    return await undoneBetween(query, { before: 'main.users', after: 'fresh.users', lastId })
  } finally {
    connection.exec('DETACH fresh')
  }
}

/** The suffixes of the files that SQLite keeps beside a database. */
const sideFiles = ['-journal', '-wal', '-shm']

/**
 * Checkpoints the log into the file, so that the database is a single file that can be renamed. A damaged database
 * stays as it is, for examination. Returns the name suffixes of the files that belong to it; none if the database
 * never contained anything.
 */
function settle(connection: Connection, path: string): string[] {
  try {
    const isEmpty = tableNames(connection).length === 0
    // An unreadable log may hold all the data there was.
    if (isEmpty && isFilled(`${path}-wal`)) return filesFound(path)
    moveIntoOneFile(connection, path)
    return isEmpty ? [] : ['']
  } catch (error) {
    if (!isDamage(error)) throw error
    return filesFound(path)
  }
}

/** Checkpoints the log into the file. Nothing may be written on this connection afterwards. */
function moveIntoOneFile(connection: Connection, path: string): void {
  // This also writes the log's content to the file and syncs it.
  const mode = connection.pragma('journal_mode = DELETE', { simple: true })
  if (mode !== 'delete') throw new Error(`The database ${path} could not be set aside.`)
  // Otherwise SQLite deletes the journal on closing, by a name that belongs to another database by then.
  keepNoLog(connection)
}

/** Leaves out `-shm`, the index of the log, which has no data of its own. */
function filesFound(path: string): string[] {
  return ['', '-wal', '-journal'].filter((end) => end === '' || isFilled(path + end))
}

async function nameBesides(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside)
  } catch (cause) {
    throw new Error(
      `The database ${path} could not be kept as ${aside}: move it away yourself, and try again.`,
      { cause },
    )
  }
  await syncFolder(dirname(path))
}

/** Deletes the empty database that was created to be held, unless its name now belongs to another file or none. */
async function removeEmpty(path: string, inode: number): Promise<void> {
  const current = statSync(path, { throwIfNoEntry: false })
  if (current?.ino === inode) await rm(path).catch(() => {})
}

async function roomy<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(errorCode(error))) throw error
    const message = `There is no room beside the database ${path}: make some, and try again. Nothing was replaced.`
    throw new Error(message, { cause: error })
  }
}

function stamp(now: Date): string {
  return now.toISOString().replace(/[:.-]/g, '')
}

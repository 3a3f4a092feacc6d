import { createReadStream } from 'node:fs'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { addresses } from '#db/address'
import { snapshots } from '#db/snapshot'
import { errorCode } from '../../base/error-code.ts'
import { appName } from '../../../web/contract/name.ts'
import { writeArchive, type Entry } from '../../base/program/archive.ts'
import { syncFolder } from '../../base/program/durable.ts'
import { day } from '../../base/time-units.ts'
import { unlessAborted } from '../../base/unless-aborted.ts'
import { isPhotoKey, isPhotoOf, largestKept } from '../../base/photo.ts'
import { sweep } from '../../base/program/leftovers.ts'
import { DatabaseDamaged, type Snapshot } from '../../db/snapshot.ts'
import { destinationOf, refuseTaken, type Destination } from './destination.ts'
import {
  filesFolder,
  manifestName,
  rowsName,
  writeManifest,
  type CountedTable,
  type Manifest,
  type Summed,
} from './manifest.ts'
import { photoFault } from './photo-fault.ts'
import { readBackup, Sum } from './read.ts'
import { writeRows } from './rows.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Files } from '../../base/files/files.ts'

export interface BackupPlan extends Destination {
  readonly files: Files
  /** Whether to go on even if all photos that accounts have are missing, or cannot be read. */
  readonly withoutPhotos?: boolean
  readonly version: string
  readonly now: Date
}

export interface Backup {
  readonly manifest: Manifest
  /** Bytes. */
  readonly size: number
  /** The error that left photos out of a backup made without them. */
  readonly unread?: PhotoUnread
}

/** Thrown when a photo cannot be read, with the error of its folder or bucket. */
export class PhotoUnread extends Error {
  override readonly name = 'PhotoUnread'
}

/** Thrown when accounts have photos, but all are missing: they are elsewhere, or their disk is away. */
export class PhotosAway extends Error {
  override readonly name = 'PhotosAway'
  readonly count: number

  constructor(count: number) {
    super('Not one of the photos that accounts have is there.')
    this.count = count
  }
}

/** The files that a run creates in its own folder. */
const archiveName = 'archive.tar'
const waitingName = 'rows'

/**
 * Writes the database's rows and its accounts' photos into one archive, beside a running server. The file
 * gets its name only once it is on disk and was read back; until then, or if the backup fails, an existing
 * file of this name is left as it was. A link stays, and the file that it leads to is replaced. Throws
 * `PhotosAway` and `PhotoUnread`.
 */
export async function makeBackup(plan: BackupPlan, signal: AbortSignal): Promise<Backup> {
  let { file } = plan
  let folder: string | undefined
  try {
    file = destinationOf(plan)
    const prefix = `${file}.part-`
    // Younger ones stay: another run may be using them.
    const since = new Date(plan.now.getTime() - day)
    await sweep(prefix, { since, files: [archiveName, waitingName] })
    // Private, and on the same disk, so that the archive can be renamed from there.
    folder = await mkdtemp(prefix)
    const archive = join(folder, archiveName)
    const result: Pick<Backup, 'unread'> = {}
    await writeArchive(archive, entries(plan, { folder, result }, signal), signal)
    const manifest = await readBackup(archive, {}, signal)
    const { size } = await stat(archive)
    refuseTaken({ ...plan, file })
    await rename(archive, file)
    await syncFolder(dirname(file))
    return { manifest, size, ...result }
  } catch (error) {
    throw explained(error, { ...plan, file })
  } finally {
    // A later backup sweeps a leftover folder; failing to remove it must not hide why this backup failed.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

function damaged(database: DatabaseAddress, faults: readonly string[]): string {
  return `The database ${addresses.nameOf(database)} is damaged, or another program's, so there is no backup of it: ${faults.join(' ')} Restore the last good one, or set ${addresses.setting} to the server's.`
}

async function* entries(
  plan: BackupPlan,
  { folder, result }: { folder: string; result: { unread?: PhotoUnread } },
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const summed: Summed[] = []
  const missing: string[] = []
  const { photos, ...contents } = yield* rows(plan, { folder, summed }, signal)
  for (const key of photos) {
    // After one photo could not be read, no other is tried: each would wait for an unreachable bucket.
    const photo = result.unread ?? (await photoOf(plan.files, key, signal).catch(leaveOut(plan)))
    if (photo instanceof PhotoUnread) result.unread = photo
    // Anything else in place of a photo must not replace the good copy in the last backup.
    if (!(photo instanceof Buffer) || !isPhotoOf(key, photo)) missing.push(key)
    else yield* withSum({ name: filesFolder + key, size: photo.length, content: [photo] }, summed)
  }
  const areAway = missing.length > 0 && missing.length === photos.length
  if (areAway && !plan.withoutPhotos) throw new PhotosAway(missing.length)
  const { version, now } = plan
  const header = { format: 2, app: appName, version, madeAt: now.toISOString() } as const
  const manifest: Manifest = { ...header, ...contents, files: summed, missing }
  const content = Buffer.from(writeManifest(manifest))
  yield { name: manifestName, size: content.length, content: [content] }
}

/** Counts an unreadable photo as missing in a backup without photos. */
function leaveOut({ withoutPhotos }: BackupPlan): (error: unknown) => PhotoUnread {
  return (error) => {
    if (withoutPhotos && error instanceof PhotoUnread) return error
    throw error
  }
}

type TakenSnapshot = Pick<Manifest, 'migrations' | 'tables'> & {
  readonly photos: readonly string[]
}

/**
 * Yields the rows of each table, buffered in a file: an archive needs an entry's size first, and a table may
 * not fit in memory.
 */
async function* rows(
  { database }: BackupPlan,
  { folder, summed }: { folder: string; summed: Summed[] },
  signal: AbortSignal,
): AsyncGenerator<Entry, TakenSnapshot> {
  const snapshot = await snapshots.take(database)
  try {
    const tables: CountedTable[] = []
    const waiting = join(folder, waitingName)
    for (const table of snapshot.tables) {
      const count = await writeRows(waiting, snapshot.rows(table), signal)
      const { size } = await stat(waiting)
      const content = createReadStream(waiting, { highWaterMark: 256 * 1024 })
      yield* withSum({ name: rowsName(table.name), size, content }, summed)
      await rm(waiting)
      tables.push({ ...table, rows: count })
    }
    return { migrations: migrationsOf(snapshot), tables, photos: await snapshot.photos() }
  } finally {
    // Closed before the photos are read, which may take long, so that the database need not hold the snapshot
    // for that time.
    await snapshot.close()
  }
}

function migrationsOf({ migrations }: Snapshot): Manifest['migrations'] {
  return migrations.map(({ name, ranAt }) => ({ name, ranAt: ranAt.toISOString() }))
}

async function* withSum(entry: Entry, summed: Summed[]): AsyncGenerator<Entry> {
  const sum = new Sum()
  yield { ...entry, content: sum.through(entry.content) }
  summed.push({ name: entry.name, ...sum.end() })
}

/**
 * Reads a photo; undefined if its file is gone, as the account may have got another since the snapshot, or is larger
 * than a photo in a backup may be. Throws `PhotoUnread`.
 */
async function photoOf(
  files: Files,
  key: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (!isPhotoKey(key)) return undefined
  try {
    return await unlessAborted(readToBuffer(files, key, signal), signal)
  } catch (cause) {
    if (signal.aborted) throw cause
    // Without an error code, which would be taken for a fault of the backup's destination.
    throw new PhotoUnread(photoFault(`The photo ${key} cannot be read`, cause), { cause })
  }
}

async function readToBuffer(
  files: Files,
  key: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const storedFile = await files.open(key, signal)
  if (!storedFile || storedFile.size > largestKept) return undefined
  return buffer(storedFile.read(undefined, signal)).catch(async (error: unknown) => {
    if (await files.open(key, signal)) throw error
    return undefined
  })
}

function explained(error: unknown, { file, database }: BackupPlan): unknown {
  const code = errorCode(error)
  const folder = dirname(file)
  const say = (message: string) => new Error(message, { cause: error })
  if (/^(ENOSPC|EDQUOT)$/.test(code))
    return say(`There is no room for the backup in ${folder}: make some, or name a file elsewhere.`)
  if (/^(ENOENT|ENOTDIR)$/.test(code))
    return say(`There is no folder ${folder}: make it, or name a file elsewhere.`)
  if (/^(EACCES|EPERM|EROFS)$/.test(code))
    return say(
      `No backup can be written in ${folder}: let this user write there, or name a file elsewhere.`,
    )
  if (error instanceof DatabaseDamaged) return say(damaged(database, error.faults))
  return error
}

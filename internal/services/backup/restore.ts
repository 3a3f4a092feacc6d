import { buffer } from 'node:stream/consumers'
import { addresses } from '#db/address'
import { snapshots } from '#db/snapshot'
import { counted } from '../../base/text/printed-sizes.ts'
import { escapeControls } from '../../base/text/escape.ts'
import { isPhotoKey, photoTypes, type PhotoExtension } from '../../base/photo.ts'
import { DatabaseDamaged, type LockedDatabase, type Undone } from '../../db/snapshot.ts'
import { filesFolder, type Manifest } from './manifest.ts'
import { photoFault } from './photo-fault.ts'
import { readBackup, refuseUnreadable } from './read.ts'
import { refill } from './refill.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../../db/migrate.ts'
import type { Files } from '../../base/files/files.ts'

export interface RestorePlan {
  readonly database: DatabaseAddress
  readonly files: Files
  readonly file: string
  readonly now: Date
  /**
   * Called with advice when other processes hold up the restore for long, or when the new database could not
   * be given to the server's user.
   */
  readonly advise: (advice: string) => void
  /** The migrations of this build. */
  readonly migrations: readonly Migration[]
}

export interface Restored {
  readonly manifest: Manifest
  /** The name under which the old database is kept; undefined if there was none. */
  readonly aside: string | undefined
  /** The effects on the old database's accounts; undefined if it had none that could be read. */
  readonly undone: Undone | undefined
  /** Photos of accounts that are neither in the backup nor in the place for photos. */
  readonly missing: readonly string[]
  /** Tables, and columns as `table.column`, that the backup has but no migration makes. */
  readonly leftOut: readonly string[]
}

/**
 * Restores the rows and photos of a backup, while no other process has or can get the database open. All of
 * the backup is checked before anything is changed. However it ends, there is the old database or the new
 * one, whole.
 */
export async function restoreBackup(plan: RestorePlan, signal: AbortSignal): Promise<Restored> {
  // First: locking the place may create an empty database, which other commands would take for a real one.
  await refuseUnreadable(plan.file)
  const database = await snapshots.hold(plan.database, plan.now, plan.advise)
  if (!database) throw new Error(inUse(addresses.nameOf(plan.database)))
  try {
    return await replace(plan, database, signal)
  } catch (error) {
    throw explained(error, plan)
  } finally {
    await database.end()
  }
}

function inUse(name: string): string {
  return `Another process has the database ${name} open: stop the server and every other command, and try again.`
}

function explained(error: unknown, { file }: RestorePlan): unknown {
  if (!(error instanceof DatabaseDamaged)) return error
  return new Error(
    `The database in ${file} is damaged: ${error.faults.join(' ')} Take another backup.`,
    { cause: error },
  )
}

async function replace(
  plan: RestorePlan,
  database: LockedDatabase,
  signal: AbortSignal,
): Promise<Restored> {
  const { file, files } = plan
  const manifest = await readBackup(file, {}, signal)
  const built = await database.build(migrationsOf(manifest, plan))
  const rows = refill(built, manifest)
  const photo = async (key: string, content: Buffer) => {
    await rows.check()
    // Before the database is in place: an unused photo does no harm, an account without its photo would.
    await keepPhoto(files, key, content, signal).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw unreplaced(`The photo ${key} cannot be put back`, cause)
    })
  }
  await readBackup(file, { rows: rows.fill, photo }, signal)
  await rows.check()
  const missing = await missingPhotos(files, { manifest, photos: await built.photos() }, signal)
  signal.throwIfAborted()
  // The old database may be damaged, or of any version: failing to read it must not stop the restore.
  const undone = await built.undone().catch(() => undefined)
  const aside = await built.putInPlace()
  return { manifest, aside, undone, missing, leftOut: rows.leftOut }
}

function unreplaced(problem: string, cause: unknown): Error {
  return new Error(`${photoFault(problem, cause)} Nothing was replaced.`, { cause })
}

/** Returns the applied migrations with this build's SQL: a backup has only their names. */
function migrationsOf({ version, migrations }: Manifest, plan: RestorePlan) {
  const byName = new Map(plan.migrations.map((migration) => [migration.name, migration]))
  const unknown = migrations.filter(({ name }) => !byName.has(name))
  const newest = unknown.at(-1)
  if (newest)
    throw new Error(
      `The backup, made by version ${escapeControls(version)}, has ${counted(unknown.length, 'migration')} that this build does not know, up to ${escapeControls(newest.name)}: restore it with the version that ran that, or a later one.`,
    )
  return migrations.flatMap(({ name, ranAt }) => {
    const migration = byName.get(name)
    return migration ? [{ ...migration, ranAt: new Date(ranAt) }] : []
  })
}

/** Stores a photo unless it is there already: writing takes most of the time. */
async function keepPhoto(
  files: Files,
  key: string,
  content: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const existing = await files.open(key, signal)
  if (
    existing?.size === content.length &&
    content.equals(await buffer(existing.read(undefined, signal)))
  )
    return
  const extension = key.slice(key.lastIndexOf('.') + 1) as PhotoExtension
  await files.put(key, { content, type: photoTypes[extension] }, signal)
}

async function missingPhotos(
  files: Files,
  { manifest, photos }: { manifest: Manifest; photos: readonly string[] },
  signal: AbortSignal,
): Promise<string[]> {
  const restored = new Set(manifest.files.map(({ name }) => name))
  const others = photos.filter((key) => !restored.has(filesFolder + key))
  const missing: string[] = []
  for (const key of others)
    if (!(isPhotoKey(key) && (await files.open(key, signal)))) missing.push(key)
  return missing
}

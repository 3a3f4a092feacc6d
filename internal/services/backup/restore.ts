import { statSync } from 'node:fs'
import { link, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { addresses } from '#db/address'
import { copies } from '#db/copies'
import { syncFolder } from '../../base/program/durable.ts'
import { isPhotoKey, photoTypes, type PhotoExtension } from '../../base/photo.ts'
import { sweep } from './leftovers.ts'
import { databaseName, filesFolder, type Manifest } from './manifest.ts'
import { readBackup, refuseUnreadable } from './read.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Contents, Held } from '../../db/copies.ts'
import type { Files } from '../../base/files/files.ts'

export interface RestorePlan {
  readonly database: DatabaseAddress
  readonly files: Files
  readonly file: string
  readonly now: Date
  /** Throws when this build cannot work with what is in the backup. */
  judge(contents: Contents): void
}

export interface Restored {
  readonly manifest: Manifest
  readonly contents: Contents
  /** The database that was there, under its new name; undefined when there was none. */
  readonly aside: string | undefined
  /** Photos that accounts have and that are nowhere. */
  readonly missing: readonly string[]
}

/**
 * Puts the database and the photos of a backup in place, while no other process has the database open and none can
 * open it. All of the backup is checked before anything is touched. Whenever it ends, there is the old database or
 * the new one, whole.
 */
export async function restoreBackup(plan: RestorePlan, signal: AbortSignal): Promise<Restored> {
  // Before there is an empty database, which other commands would take for one.
  await refuseUnreadable(plan.file)
  const wasThere = await addresses.isThere(plan.database)
  const held = copies.hold(plan.database)
  if (!held) throw new Error(inUse(addresses.nameOf(plan.database)))
  // An empty one, so that it could be held.
  const made = wasThere ? undefined : statSync(held.path).ino
  let folder: string | undefined
  try {
    // Beside the database: what is written there only has to be renamed.
    const prefix = `${held.path}.restore-`
    // Whoever left one is dead, or would hold the database.
    await sweep(prefix, plan.now)
    folder = await mkdtemp(prefix)
    return await replace(plan, { held, fresh: join(folder, databaseName) }, signal)
  } catch (error) {
    throw explained(error, held.path)
  } finally {
    if (made !== undefined) await removeEmpty(held.path, made)
    held.end()
    // One that stays is swept by the next restore. It must not hide why this one failed.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Deletes the empty database that was made to be held, unless another one, or none, has its name by now. */
async function removeEmpty(path: string, made: number): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.ino === made) await rm(path).catch(() => {})
}

function inUse(path: string): string {
  return `Another process has the database ${path} open: stop the server and every other command, and try again.`
}

function explained(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) return error
  const message = `There is no room beside the database ${path}: make some, and try again. Nothing was replaced.`
  return new Error(message, { cause: error })
}

async function replace(
  plan: RestorePlan,
  { held, fresh }: { held: Held; fresh: string },
  signal: AbortSignal,
): Promise<Restored> {
  const manifest = await readBackup(plan.file, { database: fresh }, signal)
  const contents = copies.inspect(fresh)
  if (contents.faults.length > 0)
    throw new Error(
      `The database in ${plan.file} is damaged: ${contents.faults.join(' ')} Take another backup.`,
    )
  plan.judge(contents)
  // A photo that nobody has yet does no harm; an account without its photo would.
  const photo = (key: string, content: Buffer) => keepPhoto(plan.files, key, content)
  await readBackup(plan.file, { photo }, signal)
  const missing = await missingPhotos(plan.files, { manifest, contents })
  signal.throwIfAborted()
  const aside = await putInPlace(held, fresh, plan.now)
  return { manifest, contents, aside, missing }
}

/** Keeps a photo unless it is there already: writing each is what takes longest. */
async function keepPhoto(files: Files, key: string, content: Buffer): Promise<void> {
  const kept = await files.open(key)
  if (kept?.size === content.length && content.equals(await buffer(kept.read()))) return
  const extension = key.slice(key.lastIndexOf('.') + 1) as PhotoExtension
  await files.put(key, { content, type: photoTypes[extension] })
}

async function missingPhotos(
  files: Files,
  { manifest, contents }: { manifest: Manifest; contents: Contents },
): Promise<string[]> {
  const put = new Set(manifest.files.map(({ name }) => name))
  const others = contents.photos.filter((key) => !put.has(filesFolder + key))
  const missing: string[] = []
  for (const key of others) if (!(isPhotoKey(key) && (await files.open(key)))) missing.push(key)
  return missing
}

/** Gives the old database another name besides its own, and then its own to the new one: there is always one. */
async function putInPlace(held: Held, fresh: string, now: Date): Promise<string | undefined> {
  held.settle()
  const aside = held.isEmpty ? undefined : `${held.path}.before-restore-${stamp(now)}`
  if (aside !== undefined) await nameBesides(held.path, aside)
  await rename(fresh, held.path)
  await syncFolder(dirname(held.path))
  return aside
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

function stamp(now: Date): string {
  return now.toISOString().replace(/[:.-]/g, '')
}

import { constants, getPriority, setPriority } from 'node:os'
import { resolve } from 'node:path'
import manifest from '../../../../package.json' with { type: 'json' }
import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { openFiles } from '../../../../internal/base/files/open-files.ts'
import {
  makeBackup,
  PhotosAway,
  PhotoUnread,
  type Backup,
} from '../../../../internal/services/backup/make.ts'
import {
  accountsIn,
  sizesIn,
  type Manifest,
} from '../../../../internal/services/backup/manifest.ts'
import { migrations } from '../database/migrate.ts'
import { requireDatabase } from '../database/with-database.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { unknownMigrationsWarning, suitableVersion } from '../database/unknown-migrations.ts'
import { abortOnStop } from './abort-on-stop.ts'
import { placeOf } from './place-of.ts'
import { counted, sizeOf } from '../../../../internal/base/text/printed-sizes.ts'
import type { Config } from '../../../../internal/base/settings/config.ts'

/**
 * Archives the database's rows and the photos in one file, even beside a running server, and prints what it contains.
 */
export async function backUp(
  name: string,
  { force, withoutPhotos }: { force: boolean; withoutPhotos: boolean },
): Promise<number> {
  const signal = abortOnStop()
  const { config } = await readSettings()
  const { database } = config
  await requireDatabase(database)
  letServerGoFirst()
  const began = performance.now()
  const now = new Date()
  const files = await openFiles(config.files, () => new Date())
  const file = resolve(name)
  const { version } = manifest
  const plan = { database, files, file, force, withoutPhotos, version, now }
  const backup = await makeBackup(plan, signal).catch((error: unknown) => {
    throw explainError(error, config)
  })
  console.log(summary(file, backup, performance.now() - began))
  warnOfMissing(backup, config)
  warnOfLater(backup.manifest)
  return 0
}

/** Lowers the priority of this process, unless it is that low already: people wait for the server. */
function letServerGoFirst(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // A system that forbids it, as by seccomp, must not cost the backup: without it the server is only slower.
  }
}

function summary(file: string, { manifest, size }: Backup, milliseconds: number): string {
  const { photos, photoBytes, rowBytes } = sizesIn(manifest)
  return [
    `Backed up to ${escapeControls(file)} in ${(milliseconds / 1000).toFixed(1)} s: ${sizeOf(size)}.`,
    `  database  ${counted(accountsIn(manifest), 'account')}, ${sizeOf(rowBytes)}, as of ${manifest.madeAt}`,
    `  photos    ${counted(photos, 'photo')}, ${sizeOf(photoBytes)}`,
    'The database is whole, and the backup was read back and checked.',
    'APP_KEY is not in it. Keep it elsewhere: without it nobody with two-factor login gets in, and logins and mailed links end.',
  ].join('\n')
}

/** Warns if a later version has migrated the database: this program can make the backup, but not restore it. */
function warnOfLater({ migrations: migrationsRun }: Manifest): void {
  const known = new Set(migrations().map(({ name }) => name))
  const warning = unknownMigrationsWarning(
    migrationsRun.map(({ name }) => name).filter((name) => !known.has(name)),
  )
  if (warning !== undefined)
    console.error(`${warning} Only ${suitableVersion}, restores this backup.`)
}

/** Warns of photos missing from the backup. A few may have been deleted meanwhile; many suggest the wrong folder. */
function warnOfMissing({ manifest, unread }: Backup, { files }: Config): void {
  const { missing } = manifest
  if (unread)
    return console.error(
      `${counted(missing.length, 'photo')} that accounts have ${missing.length === 1 ? 'is' : 'are'} not in this backup. ${unread.message}`,
    )
  if (missing.length === 0) return
  console.error(
    `${counted(missing.length, 'photo')} that accounts have could not be found in ${placeOf(files)}, or what is there is no photo. ` +
      'One that was deleted meanwhile is no fault; if there are many, set FILES_PATH or the bucket as the server has it.',
  )
}

function explainError(error: unknown, config: Config): unknown {
  const withMessage = (message: string) => new Error(message, { cause: error })
  if (error instanceof PhotosAway) return withMessage(missingPhotosMessage(error, config))
  if (error instanceof PhotoUnread)
    return withMessage(`${error.message} To back up without the photos, add --without-photos.`)
  return error
}

function missingPhotosMessage({ count }: PhotosAway, { files }: Config): string {
  const subject =
    count === 1
      ? 'The one photo that accounts have is not in'
      : `None of the ${count} photos that accounts have is in`
  const advice =
    files.disk === 'local'
      ? 'bring back the disk that they are on, or set FILES_PATH as the server has it'
      : 'set AWS_BUCKET and the settings beside it as the server has them'
  return `${subject} ${placeOf(files)}, so there is no new backup: ${advice}. Where they are lost for good, add --without-photos.`
}

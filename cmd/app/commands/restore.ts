import { resolve } from 'node:path'
import { addresses } from '#db/address'
import { appName } from '../../../web/contract/name.ts'
import { offerAddonFolder } from '../../../internal/base/program/addons.ts'
import { compareMigrations } from '../../../internal/db/migrate.ts'
import { escapeControls } from '../../../internal/base/escape.ts'
import { openFiles } from '../../../internal/base/files/open-files.ts'
import { filesFolder } from '../../../internal/services/backup/manifest.ts'
import { restoreBackup, type Restored } from '../../../internal/services/backup/restore.ts'
import { migrations } from './migrate.ts'
import { readSettings } from '../read-settings.ts'
import { stopping } from '../stopping.ts'
import { counted } from '../../../internal/base/counts-and-sizes.ts'
import type { Contents } from '../../../internal/db/copies.ts'

/** Puts a backup in the place of the database, while no server runs on it. */
export async function restore(name: string): Promise<number> {
  const signal = stopping()
  const { config } = await readSettings()
  const { database } = config
  offerAddonFolder(addresses.folderOf(database))
  const began = performance.now()
  const files = await openFiles(config.files, () => new Date())
  const file = resolve(name)
  const plan = { database, files, file, now: new Date(), judge }
  const restored = await restoreBackup(plan, signal)
  console.log(told(file, restored, performance.now() - began))
  warn(restored)
  return 0
}

function judge({ migrations: ran }: Contents): void {
  const [changed] = compareMigrations(migrations(), ran).changed
  if (changed !== undefined)
    throw new Error(
      `The backup had another migration ${changed} than this build has, which would not start on it: restore it with the build that made it.`,
    )
}

function told(file: string, { manifest, aside }: Restored, took: number): string {
  const photos = manifest.files.filter(({ name }) => name.startsWith(filesFolder)).length
  const users = counted(manifest.rows['users'] ?? 0, 'account')
  const kept = aside === undefined ? [] : [`The database that was there is kept as ${aside}.`]
  return [
    `Restored ${escapeControls(file)} in ${(took / 1000).toFixed(1)} s: ${users} and ${counted(photos, 'photo')}, as of ${manifest.madeAt}.`,
    ...kept,
    `Start the server with the APP_KEY of that time, or with it in APP_PREVIOUS_KEYS: \`${appName} doctor\` tells whether it fits. Jobs that waited then run again.`,
  ].join('\n')
}

function warn({ manifest, contents, missing }: Restored): void {
  const { pending, unknown } = compareMigrations(migrations(), contents.migrations)
  const newer = unknown.at(-1)
  if (newer !== undefined)
    console.error(
      `The backup is of version ${escapeControls(manifest.version)}, which has ${counted(unknown.length, 'migration')} that this build does not know, up to ${escapeControls(newer)}. What ${unknown.length === 1 ? 'it' : 'they'} made is left as it is: run that version or a later one, if you can.`,
    )
  if (pending.length > 0)
    console.error(
      `${counted(pending.length, 'migration')} of this build will run at the start, or with \`${appName} migrate\`.`,
    )
  if (missing.length > 0)
    console.error(
      `${counted(missing.length, 'photo of an account was', 'photos of accounts were')} gone when the backup was made, and ${missing.length === 1 ? 'shows' : 'show'} as none.`,
    )
}

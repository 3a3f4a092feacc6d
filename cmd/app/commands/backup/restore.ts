import { resolve } from 'node:path'
import { appName } from '../../../../web/contract/name.ts'
import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { openFiles } from '../../../../internal/base/files/open-files.ts'
import { accountsIn, sizesIn } from '../../../../internal/services/backup/manifest.ts'
import { restoreBackup, type Restored } from '../../../../internal/services/backup/restore.ts'
import type { Config } from '../../../../internal/base/settings/config.ts'
import type { Undone } from '../../../../internal/db/snapshot.ts'
import { migrations } from '../database/migrate.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { abortOnStop } from './abort-on-stop.ts'
import { placeOf } from './place-of.ts'
import { counted } from '../../../../internal/base/text/printed-sizes.ts'

/** Replaces the database with a backup, while no server is running on it. */
export async function restore(name: string): Promise<number> {
  const signal = abortOnStop()
  const { config } = await readSettings()
  const { database } = config
  const began = performance.now()
  const files = await openFiles(config.files, () => new Date(), console.error)
  const file = resolve(name)
  const plan = {
    database,
    files,
    file,
    now: new Date(),
    advise: console.error,
    migrations: migrations(),
  }
  const restored = await restoreBackup(plan, signal)
  console.log(summary(file, restored, performance.now() - began))
  warnOfGaps(restored)
  warnOfMissing(restored, config)
  return 0
}

function summary(
  file: string,
  { manifest, aside, undone }: Restored,
  milliseconds: number,
): string {
  const users = counted(accountsIn(manifest), 'account')
  const keptDatabase =
    aside === undefined ? [] : [`The database that was there is kept as ${aside}.`]
  return [
    `Restored ${escapeControls(file)} in ${(milliseconds / 1000).toFixed(1)} s: ${users} and ${counted(sizesIn(manifest).photos, 'photo')}, as of ${manifest.madeAt}.`,
    ...keptDatabase,
    ...(undone ? undoneLines(undone) : []),
    `Logins that were ended since the backup are good again: \`${appName} users logout <id>\` ends those of an account.`,
    `Start the server with the APP_KEY of that time, or with it in APP_PREVIOUS_KEYS; if it leaked since, do as README.md says of a leaked APP_KEY. \`${appName} doctor\` tells whether it fits. Jobs that waited then run again.`,
  ].join('\n')
}

/** How many of the accounts that come back are listed: a person may want to delete them again. */
const mostNamed = 20

function undoneLines({ restored, lost, passwords }: Undone): string[] {
  const ids = restored.slice(0, mostNamed).join(', ')
  const remainder = restored.length > mostNamed ? ` and ${restored.length - mostNamed} more` : ''
  const isOne = restored.length === 1
  const lines = [
    restored.length > 0 &&
      `${counted(restored.length, 'account')} that had been deleted ${isOne ? 'is' : 'are'} back (ID ${ids}${remainder}): \`${appName} users delete <id>\` deletes one again.`,
    lost > 0 &&
      `${counted(lost, 'account')} of the database before ${lost === 1 ? 'is' : 'are'} not in the backup.`,
    passwords > 0 &&
      `${counted(passwords, 'account has', 'accounts have')} another password than before the restore.`,
  ]
  return lines.filter((line) => line !== false)
}

function warnOfGaps({ manifest, leftOut }: Restored): void {
  const ran = new Set(manifest.migrations.map(({ name }) => name))
  const pending = migrations().filter(({ name }) => !ran.has(name))
  if (pending.length > 0)
    console.error(
      `${counted(pending.length, 'migration')} of this build will run at the start, or with \`${appName} migrate\`.`,
    )
  if (leftOut.length > 0)
    console.error(
      `No migration of this build makes ${leftOut.join(', ')}: the rows were left out, and are in the archive.`,
    )
}

/** Warns of photos that are not there. A backup without photos may have left them where they were. */
function warnOfMissing({ missing }: Restored, { files }: Config): void {
  if (missing.length === 0) return
  const gap = `neither in the backup nor in ${placeOf(files)}`
  console.error(
    missing.length === 1
      ? `1 photo of an account is ${gap}, and shows as none. If its file is elsewhere, copy it there under the same name.`
      : `${counted(missing.length, 'photo')} of accounts are ${gap}, and show as none. If their files are elsewhere, copy them there under the same names.`,
  )
}

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { localFiles } from '../../base/files/local.ts'
import { savePhoto } from '../../domain/photos/save-photo.ts'
import { makeBackup, type Backup, type BackupPlan } from '../../services/backup/make.ts'
import { restoreBackup, type Restored } from '../../services/backup/restore.ts'
import { addressIn } from '#testing/address'
import { addUser, ann, logInAs } from './user-rows.ts'
import { later, migrations, noon, temporaryFolder } from './database.ts'
import { jpeg, judged, png } from '../formats/photos.ts'
import { allUsers } from './rows.ts'
import { testApp, type TestApp } from '../test-app.ts'
import type { Config, DatabaseAddress } from '../../base/settings/config.ts'
import type { Files } from '../../base/files/files.ts'

const neverAborted = new AbortController().signal

/** Opens an app with Ann and Bob, each with a photo, and a folder for its backups. */
export async function withPhotos(config: Partial<Config> = {}) {
  const app = await testApp({ config })
  const users = [
    await addUser(app.db),
    await addUser(app.db, { ...ann, name: 'Bob', email: 'b@x.test', emailKey: 'b@x.test' }),
  ]
  for (const [at, user] of users.entries())
    await savePhoto(app, await logInAs(app, user), judged(at === 0 ? png() : jpeg()))
  const folder = temporaryFolder()
  return { app, users, folder, file: join(folder, 'app.tar') }
}

/** Backs up an app, or a place's data. */
export function writeBackup(
  from: Pick<TestApp, 'config' | 'files'> | Place,
  file: string,
  {
    signal = neverAborted,
    force = false,
    withoutPhotos,
  }: Partial<Pick<BackupPlan, 'force' | 'withoutPhotos'>> & Stoppable = {},
): Promise<Backup> {
  const { database } = 'config' in from ? from.config : from
  const context = { version: '1.2.3', now: noon }
  const plan = { database, files: from.files, file, force, withoutPhotos, ...context }
  return makeBackup(plan, signal)
}

interface Stoppable {
  readonly signal?: AbortSignal
}

interface Place {
  readonly database: DatabaseAddress
  readonly files: Files
}

/** Returns an empty place: addresses of a database and a photo folder that do not exist. */
export async function emptyPlace(): Promise<Place & { folder: string }> {
  const folder = temporaryFolder()
  return {
    folder,
    database: await addressIn(folder),
    files: localFiles(join(folder, 'files')),
  }
}

/** Restores like a build with these migrations. */
export function restoreTo(place: Place, file: string, known = migrations): Promise<Restored> {
  return restoreBackup(
    { ...place, file, now: noon, migrations: known, advise: () => {} },
    neverAborted,
  )
}

/** Returns the files in a place's folder except those of its database. */
export function otherFilesIn({ folder, database }: Place & { folder: string }): string[] {
  const own = new Set(addresses.filesOf(database).map((path) => basename(path)))
  return readdirSync(folder).filter((name) => !own.has(name))
}

/** Returns the account names in a database that nobody else has open. */
export async function userNamesIn(database: DatabaseAddress): Promise<string[]> {
  const db = await openDatabase(database)
  try {
    return (await allUsers(db)).map(({ name }) => name)
  } finally {
    await db.close()
  }
}

/** Creates a folder like one left over from a killed run, with a file in it, `days` before noon. */
export function addLeftoverFolder(folder: string, days: number, file = 'archive.tar'): void {
  const at = later(-days * 24 * 60 * 60 * 1000)
  mkdirSync(folder)
  writeFileSync(join(folder, file), 'half of it')
  utimesSync(join(folder, file), at, at)
  utimesSync(folder, at, at)
}

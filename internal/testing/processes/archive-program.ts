import { join } from 'node:path'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { migrate, migrationsFolder } from '#db/migrations'
import { localFiles } from '../../base/files/local.ts'
import { readMigrations } from '../../db/migrate.ts'
import { makeBackup } from '../../services/backup/make.ts'
import { restoreBackup } from '../../services/backup/restore.ts'
import { png } from '../formats/photos.ts'
import { addToEveryTable, photoInEveryTable } from '../database/snapshots.ts'

// For a build with an embedded database: makes an archive of tables full of values that are hard to store, or of
// another archive's content.
const [folder = '', file = '', source = ''] = process.argv.slice(2)
if (addresses.setting !== 'DB_PATH') throw new Error('This is a build for a server.')
const database = { file: join(folder, 'app.db') }
const files = localFiles(join(folder, 'files'))
const migrations = readMigrations(migrationsFolder)
const now = new Date()
const { signal } = new AbortController()
if (source === '') {
  await migrate(database, migrations, now)
  const db = await openDatabase(database)
  await addToEveryTable(db)
  await db.close()
  await files.put(photoInEveryTable, { content: png(), type: 'image/png' })
} else
  await restoreBackup({ database, files, file: source, now, migrations, advise: () => {} }, signal)
await makeBackup({ database, files, file, force: false, version: '1.2.3', now }, signal)

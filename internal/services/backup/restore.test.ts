import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { migrate } from '#db/migrations'
import { users } from '#db/users'
import { keptDatabaseOf } from '#testing/address'
import { objects } from '#testing/objects'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { DatabaseBusy } from '../../db/db.ts'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { awaitFirstOutput } from '../../testing/processes/first-output.ts'
import {
  writeBackup,
  emptyPlace,
  userNamesIn,
  otherFilesIn,
  restoreTo,
  withPhotos,
} from '../../testing/database/backups.ts'
import { jpeg, png } from '../../testing/formats/photos.ts'
import { namesByObjects } from '../../testing/database/migration-rows.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { addToEveryTable, everyRow, photoInEveryTable } from '../../testing/database/snapshots.ts'
import { migrations, noon, temporaryDatabase } from '../../testing/database/database.ts'
import type { Files } from '../../base/files/files.ts'

/** Returns a backup of Ann and Bob, and a database with Eve in it that nobody has open. */
async function prepared() {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const place = await emptyPlace()
  await restoreTo(place, file)
  const db = await openDatabase(place.database)
  await addUser(db, { ...ann, name: 'Eve', email: 'e@x.test', emailKey: 'e@x.test' })
  await db.close()
  return { app, file, place, photos: (await allUsers(app.db)).map(({ photo }) => photo ?? '') }
}

const pets = {
  name: '29991231000000_pets.sql',
  sql: 'CREATE TABLE pets (id INTEGER, lives INTEGER); INSERT INTO pets VALUES (7, 9);',
}

/** Returns a backup from a build with another migration, and an empty place. */
async function withPets() {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  await migrate(address, [...migrations, pets], noon)
  const { folder, files } = await emptyPlace()
  const file = join(folder, 'app.tar')
  await writeBackup({ database: address, files }, file)
  return { file, place: await emptyPlace() }
}

/** Wraps the files, with a hook before each photo is stored. */
function files(of: Files, before: () => Promise<void>): Files {
  return {
    ...of,
    open: async () => undefined,
    put: (...args) => before().then(() => of.put(...args)),
  }
}

test('a restore brings back accounts and photos, and preserves the previous database', async () => {
  const { file, place, photos } = await prepared()
  const { aside = '' } = await restoreTo(place, file)
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
  expect(await userNamesIn(keptDatabaseOf(place.database, aside))).toEqual(['Ann', 'Bob', 'Eve'])
  const contents = photos.map((key) => readFileSync(join(place.folder, 'files', key)))
  expect(contents).toEqual([png(), jpeg()])
})

test('a restore reports which accounts are back, and how many are gone or have another password', async () => {
  const { file, place } = await prepared()
  const db = await openDatabase(place.database)
  const [first, second] = await allUsers(db)
  await db.transaction(async (tx) => {
    await users.setPassword(tx, { id: first?.id ?? 0, from: ann.passwordHash, to: 'another' })
    await users.delete(tx, { id: second?.id ?? 0, from: ann.passwordHash })
  })
  await db.close()
  const { undone } = await restoreTo(place, file)
  expect(undone).toEqual({ restored: [second?.id], lost: 1, passwords: 1 })
})

test('a restore reports no account as back over an empty database, and nothing at all over none', async () => {
  const { file } = await prepared()
  const place = await emptyPlace()
  const onNothing = await restoreTo(place, file)
  const empty = await emptyPlace()
  await migrate(empty.database, migrations, noon)
  const onEmpty = await restoreTo(empty, file)
  expect(onNothing.undone).toBeUndefined()
  expect(onEmpty.undone).toEqual({ restored: [], lost: 0, passwords: 0 })
})

test('a restore over a database with other columns of accounts reports nothing about them', async () => {
  const { file, place } = await prepared()
  const name = '29991231000000_hash.sql'
  const sql = 'ALTER TABLE users RENAME COLUMN password_hash TO hash;'
  await migrate(place.database, [...migrations, { name, sql }], noon)
  const { aside, undone } = await restoreTo(place, file)
  expect([aside, undone]).toEqual([expect.stringContaining('before'), undefined])
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
})

test('a restored database has every row of every table as it was at the backup', async () => {
  const { db, address } = await temporaryDatabase()
  await addToEveryTable(db)
  const from = { ...(await emptyPlace()), database: address }
  await from.files.put(photoInEveryTable, { content: png(), type: 'image/png' })
  const file = join(from.folder, 'app.tar')
  await writeBackup(from, file)
  const place = await emptyPlace()
  await restoreTo(place, file)
  const rows = await everyRow(address)
  expect(
    Object.keys(rows).filter((table) => rows[table]?.length === 0),
    'Put a row into each of these in addToEveryTable of internal/testing/database/snapshots.ts.',
  ).toEqual([])
  expect(await everyRow(place.database)).toEqual(rows)
})

test('a table added by a later migration is backed up and restored without being named anywhere', async () => {
  const { file, place } = await withPets()
  const made = [...migrations, pets]
  await restoreTo(place, file, made)
  expect((await everyRow(place.database))['pets']).toEqual([[7, 9]])
  expect(await migrate(place.database, made, noon)).toEqual([])
})

test('views and triggers work after a restore, and no trigger fires during it', async () => {
  const { db, address } = await temporaryDatabase()
  const made = [...migrations, objects]
  await migrate(address, made, noon)
  await addUser(db)
  const file = join((await emptyPlace()).folder, 'app.tar')
  await writeBackup({ ...(await emptyPlace()), database: address }, file)
  const place = await emptyPlace()
  await restoreTo(place, file, made)
  const { aside = '' } = await restoreTo(place, file, made)
  const both = [place.database, keptDatabaseOf(place.database, aside)]
  for (const database of both) {
    expect(await migrate(database, made, noon)).toEqual([])
    expect((await everyRow(database))['changes']).toEqual([[1, 'Ann']])
    const restored = await openDatabase(database)
    onTestFinished(() => restored.close())
    await addUser(restored, { ...ann, name: 'Bob', email: 'b@x.test', emailKey: 'b@x.test' })
    expect(await namesByObjects(restored)).toEqual({
      viewed: ['Ann', 'Bob'],
      changed: ['Ann', 'Bob'],
    })
  }
})

test('a migration that had not run at the backup runs after the restore', async () => {
  const { file } = await prepared()
  const place = await emptyPlace()
  const made = [...migrations, pets]
  const { manifest } = await restoreTo(place, file, made)
  expect(manifest.migrations.map(({ name }) => name)).not.toContain(pets.name)
  expect(await migrate(place.database, made, noon)).toEqual([pets.name])
})

test('a backup of a later version is refused, with the version that can restore it', async () => {
  const { file, place } = await withPets()
  await expect(restoreTo(place, file)).rejects.toThrow(
    `The backup, made by version 1.2.3, has 1 migration that this build does not know, up to ${pets.name}: restore it with the version that ran that, or a later one.`,
  )
  expect(await addresses.isThere(place.database)).toBe(false)
})

test('a backup whose tables differ from what its migrations create in this build is refused', async () => {
  const { file, place } = await withPets()
  const changed = { ...pets, sql: `${pets.sql} ALTER TABLE pets ADD COLUMN name TEXT;` }
  await expect(restoreTo(place, file, [...migrations, changed])).rejects.toThrow(
    'The backup lacks the column pets.name as its migrations make it in this build: restore it',
  )
})

test('tables and columns that no migration creates are left out of a restore and reported', async () => {
  const { file, place } = await withPets()
  const [none, less] = [
    'CREATE INDEX pets ON users (created_at);',
    'CREATE TABLE pets (id INTEGER);',
  ]
  const first = await restoreTo(place, file, [...migrations, { ...pets, sql: none }])
  const second = await restoreTo(place, file, [...migrations, { ...pets, sql: less }])
  expect([first.leftOut, second.leftOut]).toEqual([['pets'], ['pets.lives']])
  expect((await everyRow(place.database))['pets']).toEqual([[7]])
})

test('a restore is refused while the database is open, and changes nothing', async () => {
  const { file, place } = await prepared()
  const db = await openDatabase(place.database)
  onTestFinished(() => db.close())
  await expect(restoreTo(place, file)).rejects.toThrow(
    `Another process has the database ${addresses.nameOf(place.database)} open: stop the server`,
  )
  await db.close()
  expect(otherFilesIn(place)).toEqual(['files'])
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob', 'Eve'])
})

test('nobody can open the database during a restore, and a waiting process gets the new one', async () => {
  const { file, place } = await prepared()
  const tries: unknown[] = []
  let waiting: Child | undefined
  await restoreTo(
    {
      ...place,
      files: files(place.files, async () => {
        const opened = openDatabase(place.database, { wait: 0 })
        tries.push(await opened.catch((error: unknown) => error))
        waiting ??= await started(place.database, reading)
      }),
    },
    file,
  )
  expect(tries.map((tried) => tried instanceof DatabaseBusy)).toEqual([true, true])
  // It already has the old file open, and is about to retry its lock.
  expect(await waiting?.ended).toBe('started\nAnn,Bob\n')
})

const reading = `
  console.log('started')
  const db = await openDatabase(JSON.parse(process.env.DATABASE))
  const rows = await allUsers(db)
  console.log(rows.map(({ name }) => name).join())
  await db.close()`

interface Child {
  /** Its output until it ended. */
  readonly ended: Promise<string>
}

/** Starts another process with `openDatabase`, and waits until it says that it has started. */
async function started(database: DatabaseAddress, work: string): Promise<Child> {
  const rows = new URL('../../testing/database/rows.ts', import.meta.url).href
  const program = `const { openDatabase } = await import('#db/driver')
    const { allUsers } = await import('${rows}')
    ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    // Resolves #db.
    cwd: import.meta.dirname,
    env: { ...process.env, DATABASE: JSON.stringify(database) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += String(part)))
  await awaitFirstOutput(child)
  return { ended: closed.then(() => output) }
}

test('a restore that fails half-way leaves the old database', async () => {
  const { file, place } = await prepared()
  const failing = files(place.files, () => Promise.reject(new Error('The disk is full.')))
  await expect(restoreTo({ ...place, files: failing }, file)).rejects.toThrow('The disk is full.')
  expect(otherFilesIn(place)).toEqual(['files'])
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob', 'Eve'])
  await expect(restoreTo({ ...place, files: failing }, file)).rejects.not.toThrow('whole backup')
  const nothing = await emptyPlace()
  await expect(restoreTo({ ...nothing, files: failing }, file)).rejects.toThrow('The disk is full.')
  expect([otherFilesIn(nothing), await addresses.isThere(nothing.database)]).toEqual([[], false])
})

import { appName } from '../../../web/contract/name.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packTar, type TarEntry } from 'modern-tar'
import { expect, onTestFinished, test } from 'vitest'
import { fileOf } from '#db/address'
import { openDatabase } from '#db/driver'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readArchive } from '../../base/program/archive.ts'
import { DatabaseBusy } from '../../db/db.ts'
import { addUser, ann } from '../../testing/added.ts'
import {
  back,
  elsewhere,
  leaveFolder,
  namesIn,
  putBack,
  withPhotos,
} from '../../testing/backups.ts'
import { jpeg, png } from '../../testing/photos.ts'
import { allUsers } from '../../testing/rows.ts'
import type { Files } from '../../base/files/files.ts'

/** A backup of Ann and Bob, and a database with Eve in it that nobody has open. */
async function prepared() {
  const { app, file } = await withPhotos()
  await back(app, file)
  const place = elsewhere()
  await putBack(place, file)
  const db = await openDatabase(place.database)
  await addUser(db, { ...ann, name: 'Eve', email: 'e@x.test', emailKey: 'e@x.test' })
  await db.close()
  return { app, file, place, photos: (await allUsers(app.db)).map(({ photo }) => photo ?? '') }
}

/** The same files, with something that happens as each photo is put. */
function files(of: Files, before: () => Promise<void>): Files {
  return {
    ...of,
    open: async () => undefined,
    put: (...all) => before().then(() => of.put(...all)),
  }
}

test('it puts accounts and photos back, and keeps the database that was there', async () => {
  const { file, place, photos } = await prepared()
  const { aside = '' } = await putBack(place, file)
  expect(await namesIn(place.database)).toEqual(['Ann', 'Bob'])
  expect(await namesIn({ file: aside })).toEqual(['Ann', 'Bob', 'Eve'])
  const contents = photos.map((key) => readFileSync(join(place.folder, 'files', key)))
  expect(contents).toEqual([png(), jpeg()])
  expect(aside).toMatch(/app\.db\.before-restore-20261121T120000123Z$/)
  expect(
    [statSync(fileOf(place.database)), statSync(aside)].map(({ mode }) => mode & 0o777),
  ).toEqual([0o600, 0o600])
})

test('where nothing was it makes the database, and leaves nothing else', async () => {
  const { file } = await prepared()
  const place = elsewhere()
  const { aside } = await putBack(place, file)
  expect(aside).toBeUndefined()
  expect(readdirSync(place.folder)).toEqual(['app.db', 'files'])
})

test('it refuses while anybody has the database open, and touches nothing', async () => {
  const { file, place } = await prepared()
  const db = await openDatabase(place.database)
  onTestFinished(() => db.close())
  await expect(putBack(place, file)).rejects.toThrow(
    `Another process has the database ${fileOf(place.database)} open: stop the server`,
  )
  await db.close()
  expect(readdirSync(place.folder)).toEqual(['app.db', 'files'])
  expect(await namesIn(place.database)).toEqual(['Ann', 'Bob', 'Eve'])
})

test('nobody can open the database in the middle, and who waits gets the new one', async () => {
  const { file, place } = await prepared()
  const tries: unknown[] = []
  let waiting: Child | undefined
  await putBack(
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
  // It has the old file open already, and is about to try again for its lock.
  expect(await waiting?.ended).toBe('started\nAnn,Bob\n')
})

const reading = `
  console.log('started')
  const db = await openDatabase(JSON.parse(process.env.DATABASE))
  const rows = await allUsers(db)
  console.log(rows.map(({ name }) => name).join())
  await db.close()`

test('what the log of the old database holds is no part of the new one', async () => {
  const { file, place } = await prepared()
  const child = await started(place.database, writing)
  // With all it wrote in the log.
  child.process.kill('SIGKILL')
  await child.ended
  expect(statSync(`${fileOf(place.database)}-wal`).size).toBeGreaterThan(0)
  const { aside = '' } = await putBack(place, file)
  expect(readdirSync(place.folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
  expect(await namesIn(place.database)).toEqual(['Ann', 'Bob'])
  expect(await namesIn({ file: aside })).toEqual(['Mallory', 'Mallory', 'Mallory'])
})

const writing = `
  const db = await openDatabase(JSON.parse(process.env.DATABASE))
  await nameAll(db, 'Mallory')
  console.log('started')
  setInterval(() => {}, 1000)`

interface Child {
  readonly process: ChildProcess
  /** What it said until it ended. */
  readonly ended: Promise<string>
}

/** Another process with `openDatabase`, once it says that it has started. */
async function started(database: DatabaseAddress, work: string): Promise<Child> {
  const driver = new URL('../../db/sqlite/driver.ts', import.meta.url).href
  const rows = new URL('../../testing/rows.ts', import.meta.url).href
  const program = `const { openDatabase } = await import('${driver}')
    const { allUsers, nameAll } = await import('${rows}')
    ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, DATABASE: JSON.stringify(database) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += String(part)))
  await once(child.stdout, 'data')
  return { process: child, ended: closed.then(() => said) }
}

test('one that fails half-way leaves the old database', async () => {
  const { file, place } = await prepared()
  const failing = files(place.files, () => Promise.reject(new Error('The disk is full.')))
  await expect(putBack({ ...place, files: failing }, file)).rejects.toThrow('The disk is full.')
  expect(readdirSync(place.folder)).toEqual(['app.db', 'files'])
  expect(await namesIn(place.database)).toEqual(['Ann', 'Bob', 'Eve'])
  await expect(putBack({ ...place, files: failing }, file)).rejects.not.toThrow('whole backup')
  const nothing = elsewhere()
  await expect(putBack({ ...nothing, files: failing }, file)).rejects.toThrow('The disk is full.')
  expect(readdirSync(nothing.folder)).toEqual([])
})

test('one that fails says why, though the database that it made is gone by then', async () => {
  const { file } = await prepared()
  const nothing = elsewhere()
  const failing = files(nothing.files, () => {
    rmSync(fileOf(nothing.database))
    return Promise.reject(new Error('The disk is full.'))
  })
  await expect(putBack({ ...nothing, files: failing }, file)).rejects.toThrow('The disk is full.')
})

test('it deletes what one that was killed left beside the database', async () => {
  const { file, place } = await prepared()
  leaveFolder(`${fileOf(place.database)}.restore-Old123`, 0.01)
  await putBack(place, file)
  expect(readdirSync(place.folder).filter((name) => name.includes('.restore-'))).toEqual([])
})

interface Forgery {
  readonly what: string
  readonly forge: (entries: TarEntry[]) => TarEntry[]
  readonly told: string
}

const passwd = { name: '../../../etc/passwd', size: 1 }

// oxfmt-ignore
const forgeries: readonly Forgery[] = [
  { what: 'a way out of the folder', forge: (entries) => [...entries.slice(0, -1), { header: passwd, body: 'x' }, ...entries.slice(-1)], told: 'it holds ../../../etc/passwd' },
  { what: 'an absolute path',        forge: (entries) => [{ header: { name: '/etc/passwd', size: 1 }, body: 'x' }, ...entries], told: 'it holds /etc/passwd' },
  { what: 'a way out by a photo',    forge: (entries) => [{ header: { name: 'files/photos/../../x', size: 1 }, body: 'x' }, ...entries], told: 'it holds files/photos/../../x' },
  { what: 'a link',                  forge: (entries) => [{ header: { name: 'database.sqlite', size: 0, type: 'symlink', linkname: '/etc/passwd' } }, ...entries], told: 'it holds a symlink, database.sqlite' },
  { what: 'a name for terminals',   forge: (entries) => [{ header: { name: '\u001b[2J\n', size: 1 }, body: 'x' }, ...entries], told: String.raw`it holds \u001b[2J\u000a. Take` },
  { what: 'a file twice',            forge: (entries) => [...entries.slice(0, 1), ...entries], told: 'it holds database.sqlite out of place' },
  { what: 'something after its end', forge: (entries) => [...entries, ...entries.slice(0, 1)], told: 'it holds database.sqlite out of place' },
  { what: 'a photo too many',        forge: (entries) => [{ header: { name: `files/photos/${'a'.repeat(26)}.png`, size: 1 }, body: 'x' }, ...entries], told: 'which its manifest does not name' },
  { what: 'a photo too few',         forge: (entries) => entries.toSpliced(1, 1), told: 'is missing in it' },
  { what: 'another photo',           forge: (entries) => entries.toSpliced(1, 1, { header: { name: entries[1]?.header.name ?? '', size: 1 }, body: 'x' }), told: 'is not what it was when the backup was made' },
  { what: 'no manifest',             forge: (entries) => entries.slice(0, -1), told: 'it holds no manifest' },
  { what: 'a manifest of its own',   forge: (entries) => entries.toSpliced(-1, 1, { header: { name: 'manifest.json', size: 2 }, body: '{}' }), told: 'its manifest is of something else' },
  { what: 'a photo without an end',  forge: (entries) => [{ header: { name: `files/photos/${'a'.repeat(26)}.png`, size: 3e6 }, body: new Uint8Array(3e6) }, ...entries], told: 'it holds a file that is too large' },
]

test('an archive that was made up is refused, whatever is in it, and touches nothing', async () => {
  const { app, file } = await withPhotos()
  await back(app, file)
  const entries: TarEntry[] = []
  for await (const { name, size, content } of readArchive(file, new AbortController().signal))
    entries.push({ header: { name, size }, body: Buffer.concat(await Array.fromAsync(content)) })
  for (const { what, forge, told } of forgeries) {
    writeFileSync(file, await packTar(forge(entries)))
    const place = elsewhere()
    await expect(putBack(place, file), what).rejects.toThrow(told)
    expect(readdirSync(place.folder), what).toEqual([])
  }
})

test('an archive that is cut short, altered, or none at all is refused with what to do', async () => {
  const { file, place } = await prepared()
  const whole = readFileSync(file)
  const altered = Buffer.from(whole)
  altered.writeUInt8(altered.readUInt8(5000) ^ 1, 5000)
  const contents = [whole.subarray(0, -1024), whole.subarray(0, 30_000), altered, Buffer.from('x')]
  for (const content of [...contents, Buffer.alloc(0)]) {
    writeFileSync(file, content)
    await expect(putBack(place, file)).rejects.toThrow(
      new RegExp(`is no whole backup of ${appName}: .*\\. Take anoth`),
    )
  }
  await expect(putBack(place, `${file}.none`)).rejects.toThrow(`There is no file ${file}.none.`)
  for (const other of [place.folder, '/dev/null'])
    await expect(putBack(place, other)).rejects.toThrow(`${other} is no file: name an archive`)
  expect(readdirSync(place.folder)).toEqual(['app.db', 'files'])
  expect(await namesIn(place.database)).toEqual(['Ann', 'Bob', 'Eve'])
})

test('where there is no folder, and over a file that is no database, it says what to do', async () => {
  const { file, place } = await prepared()
  const lost = { ...place, database: { file: join(place.folder, 'nowhere/app.db') } }
  await expect(putBack(lost, file)).rejects.toThrow('has no folder: make')
  const diary = join(place.folder, 'diary')
  writeFileSync(diary, 'a diary, long enough to be looked at')
  const other = { ...place, database: { file: diary } }
  await expect(putBack(other, file)).rejects.toThrow('is not a database: move it away')
  expect(readFileSync(diary, 'utf8')).toContain('a diary')
})

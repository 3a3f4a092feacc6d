import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { elsewhere, leaveFolder, namesIn } from '../../testing/backups.ts'
import { addUser } from '../../testing/added.ts'
import { noon, temporaryDatabase } from '../../testing/database.ts'
import { nameAll } from '../../testing/rows.ts'
import { builtBeside, holding, move } from '../../testing/snapshots.ts'
import { fileOf } from './address.ts'
import { openDatabase } from './driver.ts'
import { snapshots } from './snapshot.ts'

/** A database of Ann, and a folder with one of Eve in it that nobody has open. */
async function prepared() {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  const { folder, database } = await elsewhere()
  await move(address, database)
  const eve = await openDatabase(database)
  await nameAll(eve, 'Eve')
  await eve.close()
  return { address, folder, database }
}

test('the old file is kept beside the new one, and only their owner reads them', async () => {
  const { address, folder, database } = await prepared()
  const aside = (await move(address, database)) ?? ''
  const files = [fileOf(database), aside]
  expect(aside).toBe(join(folder, 'app.db.before-restore-20261121T120000123Z'))
  expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  expect(await namesIn({ file: aside })).toEqual(['Eve'])
})

test('where nothing was it leaves one file, and when it comes to nothing none', async () => {
  const { address } = await prepared()
  const [whole, none] = [await elsewhere(), await elsewhere()]
  await move(address, whole.database)
  await holding(none.database, async (held) => {
    await builtBeside(held)
  })
  expect([whole, none].map(({ folder }) => readdirSync(folder))).toEqual([['app.db'], []])
})

test('one that fails leaves the old file as it is', async () => {
  const { folder, database } = await prepared()
  const failing = holding(database, async (held) => {
    await builtBeside(held)
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow('The disk is full.')
  expect(readdirSync(folder)).toEqual(['app.db'])
  expect(await namesIn(database)).toEqual(['Eve'])
})

test('it says why it failed, though the file that it made is gone by then', async () => {
  const { folder, database } = await elsewhere()
  const failing = holding(database, async (held) => {
    await builtBeside(held)
    rmSync(fileOf(database))
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow('The disk is full.')
  expect(readdirSync(folder)).toEqual([])
})

test('it deletes what one that was killed left beside the file, and no other folder', async () => {
  const { address, folder, database } = await prepared()
  leaveFolder(`${fileOf(database)}.restore-Old123`, 0.01, 'new.db')
  leaveFolder(`${fileOf(database)}.restore-drills`, 0.01, 'drill.db')
  await move(address, database)
  const left = readdirSync(folder).filter((name) => name.includes('.restore-'))
  expect(left).toEqual([`${basename(fileOf(database))}.restore-drills`])
})

test('what the log of the old file holds is no part of the new one', async () => {
  const { address, folder, database } = await prepared()
  await killedWithLog(fileOf(database))
  const before = statSync(`${fileOf(database)}-wal`).size
  const aside = (await move(address, database)) ?? ''
  expect(before).toBeGreaterThan(0)
  expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
  expect(await namesIn(database)).toEqual(['Ann'])
  expect(await namesIn({ file: aside })).toEqual(['Mallory'])
})

/** Has a process write, and die with all that it wrote in the log. */
async function killedWithLog(file: string): Promise<void> {
  const rows = new URL('../../testing/rows.ts', import.meta.url).href
  const program = `
    const { openDatabase } = await import('#db/driver')
    const { nameAll } = await import('${rows}')
    const db = await openDatabase({ file: process.argv[1] })
    await nameAll(db, 'Mallory')
    console.log('written')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file], {
    // By which it knows what #db is.
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await closed
}

test('where there is no folder, and over a file that is no database, it says what to do', async () => {
  const { folder } = await elsewhere()
  const lost = snapshots.hold({ file: join(folder, 'nowhere/app.db') }, noon)
  await expect(lost).rejects.toThrow('has no folder: make')
  const diary = join(folder, 'diary')
  writeFileSync(diary, 'a diary, long enough to be looked at')
  await expect(snapshots.hold({ file: diary }, noon)).rejects.toThrow(
    'is not a database: move it away',
  )
  expect(readFileSync(diary, 'utf8')).toContain('a diary')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyPlace, addLeftoverFolder, userNamesIn } from '../../../testing/database/backups.ts'
import { DatabaseBusy } from '../../db.ts'
import { addUser } from '../../../testing/database/user-rows.ts'
import { awaitFirstOutput } from '../../../testing/processes/first-output.ts'
import { migrations, noon, temporaryDatabase } from '../../../testing/database/database.ts'
import { setUserNames } from '../../../testing/database/rows.ts'
import {
  buildReplacement,
  whileLocked,
  replaceContent,
} from '../../../testing/database/snapshots.ts'
import { fileOf } from '../address.ts'
import { openAlone } from '../connection.ts'
import { openDatabase } from '../driver.ts'
import { snapshots } from '../snapshot.ts'

/** Creates a database of Ann, and a folder with one of Eve that nobody has open. */
async function prepared() {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  const { folder, database } = await emptyPlace()
  await replaceContent(address, database)
  const eve = await openDatabase(database)
  await setUserNames(eve, 'Eve')
  await eve.close()
  return { address, folder, database }
}

test('a restore keeps the old file beside the new one, both readable only by their owner', async () => {
  const { address, folder, database } = await prepared()
  const aside = (await replaceContent(address, database)) ?? ''
  const files = [fileOf(database), aside]
  expect(aside).toBe(join(folder, 'app.db.before-restore-20261121T120000123Z'))
  expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  expect(await userNamesIn({ file: aside })).toEqual(['Eve'])
})

test('a restore into an empty folder leaves one file, and an abandoned one leaves none', async () => {
  const { address } = await prepared()
  const [moved, none] = [await emptyPlace(), await emptyPlace()]
  await replaceContent(address, moved.database)
  await whileLocked(none.database, async (held) => {
    await buildReplacement(held)
  })
  expect([moved, none].map(({ folder }) => readdirSync(folder))).toEqual([['app.db'], []])
})

test('a restored database is checked as a single file without a log beside it', async () => {
  const { address, folder, database } = await prepared()
  const snapshot = await snapshots.take(address)
  await whileLocked(database, async (held) => {
    const built = await buildReplacement(held)
    for (const table of snapshot.tables) await built.put(table, snapshot.rows(table))
    await built.check()
    const made = readdirSync(folder).find((name) => name.includes('.restore-')) ?? ''
    expect(readdirSync(join(folder, made))).toEqual(['new.db'])
  })
  await snapshot.close()
})

test('a failed restore leaves the old file as it is', async () => {
  const { folder, database } = await prepared()
  const failing = whileLocked(database, async (held) => {
    await buildReplacement(held)
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow('The disk is full.')
  expect(readdirSync(folder)).toEqual(['app.db'])
  expect(await userNamesIn(database)).toEqual(['Eve'])
})

test('a restore that fails while it creates the new file closes that file', async () => {
  const { folder, database } = await prepared()
  const isFree = await whileLocked(database, async (held) => {
    const late = migrations.map((migration) => ({ ...migration, ranAt: new Date(8.64e15) }))
    await expect(held.build(late)).rejects.toThrow('keeps no time such as')
    const beside = readdirSync(folder).find((name) => name.includes('.restore-'))
    const alone = openAlone(join(folder, beside ?? '', 'new.db'))
    alone?.close()
    return alone !== undefined
  })
  expect(isFree).toBe(true)
})

test('a failed restore reports its error even if the file it created is gone', async () => {
  const { folder, database } = await emptyPlace()
  const failing = whileLocked(database, async (held) => {
    await buildReplacement(held)
    rmSync(fileOf(database))
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow('The disk is full.')
  expect(readdirSync(folder)).toEqual([])
})

test('a restore deletes what a killed restore left beside the file, and no other folder', async () => {
  const { address, folder, database } = await prepared()
  addLeftoverFolder(`${fileOf(database)}.restore-Old123`, 0.01, 'new.db')
  addLeftoverFolder(`${fileOf(database)}.restore-drills`, 0.01, 'drill.db')
  await replaceContent(address, database)
  const left = readdirSync(folder).filter((name) => name.includes('.restore-'))
  expect(left).toEqual([`${basename(fileOf(database))}.restore-drills`])
})

test('the log of the old file does not become part of the restored one', async () => {
  const { address, folder, database } = await prepared()
  await killedWithLog(fileOf(database))
  const before = statSync(`${fileOf(database)}-wal`).size
  const aside = (await replaceContent(address, database)) ?? ''
  expect(before).toBeGreaterThan(0)
  expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
  expect(await userNamesIn(database)).toEqual(['Ann'])
  expect(await userNamesIn({ file: aside })).toEqual(['Mallory'])
})

test('a restore sets a damaged file aside as it was, wherever the damage is', async () => {
  const { address } = await prepared()
  const damages: ((file: string) => void)[] = [
    (file) => truncateSync(file, 50_000),
    (file) => truncateSync(file, 30),
    (file) => overwrite(file, 100),
    (file) => overwrite(file, 20 * 4096),
  ]
  const replaced = await Promise.all(
    damages.map(async (spoil) => {
      const { folder, database } = await prepared()
      const file = fileOf(database)
      spoil(file)
      const { size } = statSync(file)
      const aside = (await replaceContent(address, database)) ?? ''
      const isWhole = statSync(aside).size === size && readdirSync(folder).length === 2
      return { isWhole, names: await userNamesIn(database) }
    }),
  )
  expect(replaced).toEqual(damages.map(() => ({ isWhole: true, names: ['Ann'] })))
})

test('a restore keeps the log of a damaged file beside that file, not as part of the new one', async () => {
  const { address, folder, database } = await prepared()
  const file = fileOf(database)
  await killedWithLog(file)
  overwrite(file, 100)
  const [pages, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
  const aside = (await replaceContent(address, database)) ?? ''
  const left = [basename(file), basename(aside), `${basename(aside)}-wal`]
  expect(readdirSync(folder)).toEqual(left)
  expect([readFileSync(aside).equals(pages), readFileSync(`${aside}-wal`).equals(log)]).toEqual([
    true,
    true,
  ])
  expect(await userNamesIn(database)).toEqual(['Ann'])
})

test('a database whose tables are all in a damaged log is set aside, not taken for empty', async () => {
  const { address } = await prepared()
  const [{ database }, another] = [await emptyPlace(), await emptyPlace()]
  const db = await openDatabase(another.database)
  await db.run`CREATE TABLE things (id INTEGER)`
  const file = fileOf(database)
  for (const end of ['', '-wal']) copyFileSync(fileOf(another.database) + end, file + end)
  await db.close()
  overwrite(`${file}-wal`, 0)
  const log = readFileSync(`${file}-wal`)
  const aside = (await replaceContent(address, database)) ?? ''
  expect(readFileSync(`${aside}-wal`).equals(log)).toBe(true)
  expect(await userNamesIn(database)).toEqual(['Ann'])
})

test('a damaged database can be held by one restore only, and only while no process has it open', async () => {
  const { database } = await prepared()
  const db = await openDatabase(database)
  truncateSync(fileOf(database), 50_000)
  const besideIt = await snapshots.hold(database, noon)
  // The log stays as it was: closing it would repair what was cut off.
  await db.close()
  truncateSync(fileOf(database), 50_000)
  const others = await whileLocked(database, async () => {
    const opened = openDatabase(database, { wait: 0 }).catch((error: unknown) => error)
    return [await snapshots.hold(database, noon), await opened]
  })
  expect(besideIt).toBeUndefined()
  expect(others).toEqual([undefined, expect.any(DatabaseBusy)])
})

/** Corrupts a page or what is left of it. */
function overwrite(file: string, from: number): void {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, from, Math.ceil((from + 1) / 4096) * 4096))
}

/** Makes a process write, and die with all its writes in the log. */
async function killedWithLog(file: string): Promise<void> {
  const rows = new URL('../../../testing/database/rows.ts', import.meta.url).href
  const program = `
    const { openDatabase } = await import('#db/driver')
    const { setUserNames } = await import('${rows}')
    const db = await openDatabase({ file: process.argv[1] })
    await setUserNames(db, 'Mallory')
    console.log('written')
    // With the database: one that nothing refers to is closed as garbage is collected, and its log deleted.
    setInterval(() => {}, 1000, db)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file], {
    // Tells it which database #db is.
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await awaitFirstOutput(child)
  child.kill('SIGKILL')
  await closed
}

test('a restore into a missing folder, or over a file that is not a database, says what to do', async () => {
  const { folder } = await emptyPlace()
  const lost = snapshots.hold({ file: join(folder, 'nowhere/app.db') }, noon)
  await expect(lost).rejects.toThrow('has no folder: make')
  const diary = join(folder, 'diary')
  writeFileSync(diary, 'a diary, long enough to be looked at')
  await expect(snapshots.hold({ file: diary }, noon)).rejects.toThrow(
    'is not a database: move it away',
  )
  expect(readFileSync(diary, 'utf8')).toContain('a diary')
})

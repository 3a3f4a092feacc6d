import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileOf } from '../address.ts'
import { openReader } from '../connection.ts'
import { temporaryDatabase } from '../../../testing/database/database.ts'
import { openDatabase } from '../driver.ts'
import type { Database } from '../../db.ts'

/** Returns which texts occur in a database file or in its log. */
function textsIn(path: string, texts: readonly string[]): string[] {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file))
  const bytes = files.map((file) => readFileSync(file, 'latin1')).join('')
  return texts.filter((text) => bytes.includes(text))
}

function logSize(path: string): number {
  return statSync(`${path}-wal`).size
}

/** A table of texts by number. */
async function withTexts() {
  const { db, address } = await temporaryDatabase()
  const path = fileOf(address)
  await db.run`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`
  return { db, path }
}

test('no deleted or overwritten value remains in the database file or its log once the log is emptied', async () => {
  const { db, path } = await withTexts()
  await db.run`INSERT INTO texts VALUES (1, ${'first-of-all'}), (2, ${'stays-as-it-is'})`
  await db.run`UPDATE texts SET text = ${'another-one'} WHERE id = 1`
  await db.run`DELETE FROM texts WHERE id = 1`
  const texts = ['first-of-all', 'another-one', 'stays-as-it-is']
  const before = textsIn(path, texts)
  expect(await db.emptyLog()).toBe(true)
  expect([before, textsIn(path, texts), logSize(path)]).toEqual([texts, ['stays-as-it-is'], 0])
})

test('the log is not emptied and the file is not rewritten while another process writes', async () => {
  const { db, path } = await withTexts()
  const other = await openDatabase({ file: path })
  const done = Promise.withResolvers<void>()
  const writes = other.transaction(async (tx) => {
    await tx.run`INSERT INTO texts VALUES (1, 'a')`
    await done.promise
  })
  await expect.poll(() => db.writeAnew()).toBe(false)
  expect(await db.emptyLog()).toBe(false)
  done.resolve()
  await writes
  expect([await db.writeAnew(), await db.emptyLog(), logSize(path)]).toEqual([true, true, 0])
  await other.close()
})

test('the log is emptied once another process no longer reads from it', async () => {
  const { db, path } = await withTexts()
  const other = openReader(path)
  other.exec('BEGIN; SELECT * FROM texts')
  const emptied = db.emptyLog()
  await db.run`INSERT INTO texts VALUES (1, 'a')`
  other.close()
  expect([await emptied, logSize(path)]).toEqual([true, 0])
})

test('the log is emptied between two writes, however many wait', async () => {
  const { db, path } = await withTexts()
  const write = (id: number) => db.run`INSERT INTO texts VALUES (${id}, 'a')`
  const before = Array.from({ length: 300 }, (_, id) => write(id))
  const emptied = db.emptyLog()
  const after = Array.from({ length: 300 }, (_, id) => write(300 + id))
  expect([await emptied, (await Promise.all([...before, ...after])).length]).toEqual([true, 600])
  expect(await db.emptyLog()).toBe(true)
  expect(await db.all`SELECT count(*) AS n FROM texts`).toEqual([{ n: 600 }])
  expect(logSize(path)).toBe(0)
})

test('the log cannot be emptied inside a transaction', async () => {
  const { db } = await withTexts()
  await expect(db.transaction(() => db.emptyLog())).rejects.toThrow('transaction')
})

/** Writes, changes and deletes texts in a fixed order, and returns the beginnings of the deleted ones. */
async function shuffle(db: Database): Promise<string[]> {
  const gone: string[] = []
  const texts = new Map<number, string>()
  let random = 3
  const below = (most: number) => (random = (random * 48_271) % 2_147_483_647) % most
  await db.transaction(async (tx) => {
    for (let step = 0; step < 2000; step++) {
      const id = below(300)
      const begin = `text-${step}-`
      const text = begin + 'x'.repeat(below(120))
      const old = texts.get(id)
      texts.set(id, begin)
      if (old === undefined) await tx.run`INSERT INTO texts VALUES (${id}, ${text})`
      else {
        gone.push(old)
        if (step % 9 > 0) await tx.run`UPDATE texts SET text = ${text} WHERE id = ${id}`
        else {
          await tx.run`DELETE FROM texts WHERE id = ${id}`
          texts.delete(id)
        }
      }
    }
  })
  return gone
}

test('deleted texts in the free part of a page are gone once the file is rewritten', async () => {
  const { db, path } = await withTexts()
  const gone = await shuffle(db)
  await db.emptyLog()
  const left = textsIn(path, gone)
  expect(await db.writeAnew()).toBe(true)
  // If SQLite leaves nothing one day, no file needs rewriting.
  expect(left).not.toEqual([])
  expect([textsIn(path, gone), logSize(path)]).toEqual([[], 0])
})

test('a large database file is not rewritten', async () => {
  const { db } = await withTexts()
  await db.run`INSERT INTO texts VALUES (1, ${'x'.repeat(16 * 1024 * 1024)})`
  expect(await db.writeAnew()).toBe(false)
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from './driver.ts'
import { addresses } from './address.ts'
import { temporaryDatabase, temporaryFolder } from '../../testing/database/database.ts'

test('a database exists only once it was created, and checking does not create it', async () => {
  const nowhere = { file: join(temporaryFolder(), 'app.db') }
  const { address } = await temporaryDatabase()
  const answers = [nowhere, nowhere, address].map((one) => addresses.isThere(one))
  expect(await Promise.all(answers)).toEqual([false, false, true])
})

test('the URL of a database server is refused', async () => {
  const server = { url: 'sql://ann:secret@db.x.test/app' }
  const refused = 'This build keeps its data in SQLite: set DB_PATH to a file.'
  await expect(openDatabase(server)).rejects.toThrow(refused)
  expect(() => addresses.nameOf(server)).toThrow(refused)
})

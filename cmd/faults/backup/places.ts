import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomId } from '../../../internal/base/crypto/random.ts'
import { openDatabase } from '../../../internal/db/sqlite/driver.ts'
import type { Database } from '../../../internal/db/db.ts'
import { fill, ownAccess } from '../../../internal/testing/database/fill-database.ts'
import { png } from '../../../internal/testing/formats/photos.ts'
import * as ofMysql from '../../../internal/testing/mysql/many-users.ts'
import * as ofPostgres from '../../../internal/testing/postgres/many-users.ts'
import * as ofSqlite from '../../../internal/testing/sqlite/many-users.ts'
import type { DatabaseAddress } from '../../../internal/base/settings/config.ts'
import { servers } from '../../bench/servers.ts'
import type { Extent } from '../tools/fault.ts'
import { newFolder, run } from '../tools/servers.ts'
import { startDatabase } from '../server/database-server.ts'
import { newDatabase } from '../server/schema.ts'

/** Where a service keeps its data, in any database. */
export interface DataPlace {
  readonly database: string
  readonly address: DatabaseAddress
  readonly settings: Readonly<Record<string, string>>
  readonly files: string
}

/** Returns a function that creates empty places, which are removed at the end of the fault. */
export async function placesOf(extent: Extent): Promise<(name: string) => Promise<DataPlace>> {
  const { database } = extent
  if (database === 'sqlite')
    return async () => {
      const folder = newFolder()
      const [file, files] = [join(folder, 'app.db'), join(folder, 'files')]
      const settings = { DB_PATH: file, FILES_PATH: files }
      return { database, address: { file }, settings, files }
    }
  const server = await startDatabase(extent)
  return async (name) => {
    const url = await newDatabase(server.settings['DB_URL'] ?? '', name, extent)
    const files = join(newFolder(), 'files')
    return { database, address: { url }, settings: { DB_URL: url, FILES_PATH: files }, files }
  }
}

export interface Size {
  readonly users: number
  readonly photos: number
}

// Bytes of a phone's photo, scaled down by a browser.
const photoSize = 100_000

/** Fills a place with `users` users and everything that a service stores for them; the first ones have a photo each. */
export async function fillPlace(
  { database, address, settings, files }: DataPlace,
  { users, photos }: Size,
): Promise<void> {
  const { code, stderr } = await run(['migrate'], { settings })
  if (code !== 0) throw new Error(`The database was not made: ${stderr}`)
  await fill(address, users, servers[database]?.behind ?? ownAccess)
  const db = await openPlace(address, database)
  const now = new Date()
  await fillers[database]?.addOtherRows(db, {
    now,
    endsAt: new Date(now.getTime() + 60 * 60 * 1000),
  })
  // A backup takes only what begins as a photo does.
  const begun = png()
  await db.transaction(async (tx) => {
    for (let user = 1; user <= photos; user++) {
      const key = `photos/${randomId()}.png`
      const path = join(files, key)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, Buffer.concat([begun, randomBytes(photoSize - begun.length)]))
      await tx.run`UPDATE users SET photo = ${key} WHERE id = ${user}`
    }
  })
  await db.close()
}

const fillers: Readonly<Record<string, typeof ofSqlite>> = {
  sqlite: ofSqlite,
  postgres: ofPostgres,
  mysql: ofMysql,
}

function openPlace(address: DatabaseAddress, database: string): Promise<Database> {
  return (servers[database]?.behind.openDatabase ?? openDatabase)(address)
}

/** Returns each of these tables' row count. */
export async function rowsIn(
  { database, address }: DataPlace,
  tables: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const db = await openPlace(address, database)
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const sql = [`SELECT count(*) AS found FROM ${table}`]
    const row = await db.first<{ found: number }>(Object.assign(sql, { raw: sql }))
    counts[table] = row?.found ?? 0
  }
  await db.close()
  return counts
}

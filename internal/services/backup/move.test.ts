import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { writeBackup, emptyPlace, restoreTo } from '../../testing/database/backups.ts'
import { temporaryFolder } from '../../testing/database/database.ts'
import { readBackup } from './read.ts'

const program = fileURLToPath(
  new URL('../../testing/processes/archive-program.ts', import.meta.url),
)

/** Makes an archive with a build for SQLite: of every table, or of what it restored from another archive. */
async function inSqlite(of?: string): Promise<string> {
  const folder = temporaryFolder()
  const file = join(folder, 'app.tar')
  const env = { ...process.env, NODE_OPTIONS: '' }
  await promisify(execFile)(process.execPath, [program, folder, file, ...(of ? [of] : [])], { env })
  return file
}

/** Returns all of an archive: each table's columns, last ID and rows, and the photos. */
async function contentsOf(file: string) {
  const lines = new Map<string, string[]>()
  const photos: string[] = []
  const use = {
    rows: async (table: string, content: AsyncIterable<Uint8Array>) =>
      void lines.set(table, (await text(content)).trim().split('\n').toSorted()),
    photo: async (key: string, content: Buffer) =>
      void photos.push(`${key}: ${content.toString('base64')}`),
  }
  const { tables, migrations } = await readBackup(file, use, new AbortController().signal)
  const withLines = tables.map((table) => ({ ...table, lines: lines.get(table.name) }))
  return { tables: withLines.toSorted((a, b) => (a.name < b.name ? -1 : 1)), migrations, photos }
}

test.runIf(addresses.setting === 'DB_URL')(
  'a backup of a build for SQLite is identical after a restore in this build, and after one back in SQLite',
  async () => {
    const first = await inSqlite()
    const place = await emptyPlace()
    await restoreTo(place, first)
    const second = join(place.folder, 'app.tar')
    await writeBackup(place, second)
    const third = await inSqlite(second)
    const [from, here, there] = [
      await contentsOf(first),
      await contentsOf(second),
      await contentsOf(third),
    ]
    expect(from.tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect(from.photos).toHaveLength(1)
    expect(here).toEqual(from)
    expect(there).toEqual(from)
  },
)

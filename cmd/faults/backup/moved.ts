import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appName } from '../../../web/contract/name.ts'
import { built } from '../tools/tested-build.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count } from '../tools/figures.ts'
import { newFolder } from '../tools/servers.ts'
import { makeBackup, restoreArchive, type Archive } from './archives.ts'
import { fillPlace, placesOf } from './places.ts'

const route = ['postgres', 'mysql', 'sqlite']

/** Moves an app from SQLite to PostgreSQL, to MySQL and back to SQLite, each time by `app backup` and `app restore`. */
export async function moved(extent: Extent): Promise<readonly Verdict[]> {
  const size = extent.quick ? { users: 1000, photos: 10 } : { users: 100_000, photos: 1000 }
  const executables = new Map(route.map((database) => [database, buildFor(database)]))
  // The executable for the tested database comes last, so that it is in dist/ again.
  buildFor(extent.database)
  const placeOn = async (database: string) => (await placesOf({ ...extent, database }))('moved')
  const source = await placeOn('sqlite')
  await fillPlace(source, size)
  let { archive } = await makeBackup(source, executables.get('sqlite'))
  const archives: Archive[] = [archive]
  const seconds: string[] = []
  for (const database of route) {
    const place = await placeOn(database)
    const measurement = await restoreArchive(archive, place, executables.get(database))
    const backup = await makeBackup(place, executables.get(database))
    archive = backup.archive
    archives.push(archive)
    seconds.push(
      `${database} ${measurement.seconds.toFixed(1)} s and ${backup.measurement.seconds.toFixed(1)} s`,
    )
  }
  const counts = new Set(archives.map(({ rows, photos }) => countsOf(rows, photos)))
  const rows = Object.values(archive.rows).reduce((total, rowsOfTable) => total + rowsOfTable, 0)
  return [
    {
      fault: `an app of ${count(size.users)} users with ${count(size.photos)} photos moves from SQLite to PostgreSQL, to MySQL and back`,
      promise: 'each table has as many rows everywhere, and no photo is lost',
      figures:
        `${count(rows)} rows and ${count(archive.photos)} photos in the end, ` +
        `${counts.size === 1 ? 'the same everywhere' : [...counts].join(' / ')}; restored and backed up in ${seconds.join(', ')}`,
      isKept:
        counts.size === 1 && archive.rows['users'] === size.users && archive.photos === size.photos,
    },
  ]
}

function countsOf(rows: Readonly<Record<string, number>>, photos: number): string {
  const sorted = Object.entries(rows).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify([...sorted, ['photos', photos]])
}

/** Builds the executable for a database, and returns the path of a copy. */
function buildFor(database: string): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  execFileSync(process.execPath, ['build.ts', '--quiet', '--database', database], { cwd: root })
  const copy = join(newFolder(), appName)
  copyFileSync(built, copy)
  return copy
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { p99 } from '../../bench/table.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, ms } from '../tools/figures.ts'
import { requestPages } from '../tools/request-pages.ts'
import { start } from '../tools/servers.ts'
import { makeBackup, restoreArchive } from './archives.ts'
import { fillPlace, placesOf, rowsIn, type DataPlace, type Size } from './places.ts'

// Bytes of memory by which a backup of twice as much data may exceed the other.
const mostGrowth = 50_000_000
// Milliseconds that a page may take meanwhile.
const longestPage = 500

/** Backs up some data, and twice as much, each beside a server in use; restores the larger elsewhere. */
export async function backup(extent: Extent): Promise<readonly Verdict[]> {
  const place = await placesOf(extent)
  const fullSize: Size = extent.quick
    ? { users: 10_000, photos: 100 }
    : { users: 100_000, photos: 1000 }
  const halfBackup = await backUpBesideServer(await place('half'), halfOf(fullSize))
  const fullBackup = await backUpBesideServer(await place('whole'), fullSize)
  return [await verdict(fullBackup, { halfBackup, target: await place('elsewhere') })]
}

function halfOf({ users, photos }: Size): Size {
  return { users: users / 2, photos: photos / 2 }
}

type MeasuredBackup = Awaited<ReturnType<typeof backUpBesideServer>>

async function backUpBesideServer(place: DataPlace, size: Size) {
  await fillPlace(place, size)
  const { settings } = place
  const server = await start({ settings })
  let isDone = false
  const pageDurations = requestPages(server, () => isDone)
  const { archive, measurement } = await makeBackup(place).finally(() => (isDone = true))
  const durations = await pageDurations
  const { code } = await server.stop()
  return { size, archive, measurement, pages: durations, code }
}

async function verdict(
  { size, archive, measurement, pages: pageDurations, code }: MeasuredBackup,
  { halfBackup, target }: { halfBackup: MeasuredBackup; target: DataPlace },
): Promise<Verdict> {
  const restoreMeasurement = await restoreArchive(archive, target)
  const rows = await rowsIn(target, Object.keys(archive.rows))
  const differingTables = Object.keys(rows).filter((table) => rows[table] !== archive.rows[table])
  const photos = readdirSync(join(target.files, 'photos')).length
  const isComplete =
    differingTables.length === 0 && rows['users'] === size.users && photos === size.photos
  const growth = Math.max(measurement.memory - halfBackup.measurement.memory, 0)
  return {
    fault: `a backup of ${count(size.users)} users with ${count(size.photos)} photos beside a server that is used, and its restore`,
    promise: `pages p99 within ${ms(longestPage)}; twice as much takes ${mb(mostGrowth)} more memory at most; every row and photo is there again`,
    figures:
      `backed up in ${measurement.seconds.toFixed(1)} s with ${mb(measurement.memory)} (half of it with ${mb(halfBackup.measurement.memory)}): ${mb(archive.size)}; ` +
      `${count(pageDurations.length)} pages meanwhile, p99 ${ms(p99(pageDurations))}; ` +
      `restored in ${restoreMeasurement.seconds.toFixed(1)} s with ${mb(restoreMeasurement.memory)}: ${count(sum(rows))} rows of ${Object.keys(rows).length} tables, ` +
      `${count(photos)} photos${differingTables.length > 0 ? `; others in ${differingTables.join(', ')}` : ''}`,
    isKept: isComplete && growth <= mostGrowth && p99(pageDurations) <= longestPage && code === 0,
  }
}

function sum(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((total, rowsOfTable) => total + rowsOfTable, 0)
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

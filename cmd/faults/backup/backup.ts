import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { p99 } from '../../bench/table.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, ms } from '../tools/figures.ts'
import { askOn } from '../tools/pages-meanwhile.ts'
import { start } from '../tools/servers.ts'
import { backedUp, restored } from './archives.ts'
import { fillPlace, placesOf, rowsIn, type DataPlace, type Size } from './places.ts'

// Bytes of memory by which a backup of twice as much data may exceed the other.
const mostGrowth = 50_000_000
// Milliseconds that a page may take meanwhile.
const longestPage = 500

/** Backs up some data, and twice as much, each beside a server in use; restores the larger elsewhere. */
export async function backup(extent: Extent): Promise<readonly Verdict[]> {
  const place = await placesOf(extent)
  const whole: Size = extent.quick
    ? { users: 10_000, photos: 100 }
    : { users: 100_000, photos: 1000 }
  const half = await backedUpBeside(await place('half'), halfOf(whole))
  const larger = await backedUpBeside(await place('whole'), whole)
  return [await verdict(larger, { half, elsewhere: await place('elsewhere') })]
}

function halfOf({ users, photos }: Size): Size {
  return { users: users / 2, photos: photos / 2 }
}

type Beside = Awaited<ReturnType<typeof backedUpBeside>>

async function backedUpBeside(place: DataPlace, size: Size) {
  await fillPlace(place, size)
  const { settings } = place
  const server = await start({ settings })
  let isOver = false
  const pages = askOn(server, () => isOver)
  const { archive, measurement } = await backedUp(place).finally(() => (isOver = true))
  const answered = await pages
  const { code } = await server.stop()
  return { size, archive, measurement, pages: answered, code }
}

async function verdict(
  { size, archive, measurement, pages, code }: Beside,
  { half, elsewhere }: { half: Beside; elsewhere: DataPlace },
): Promise<Verdict> {
  const back = await restored(archive, elsewhere)
  const rows = await rowsIn(elsewhere, Object.keys(archive.rows))
  const differing = Object.keys(rows).filter((table) => rows[table] !== archive.rows[table])
  const photos = readdirSync(join(elsewhere.files, 'photos')).length
  const isWhole = differing.length === 0 && rows['users'] === size.users && photos === size.photos
  const growth = Math.max(measurement.memory - half.measurement.memory, 0)
  return {
    fault: `a backup of ${count(size.users)} users with ${count(size.photos)} photos beside a server that is used, and its restore`,
    promise: `pages p99 within ${ms(longestPage)}; twice as much takes ${mb(mostGrowth)} more memory at most; every row and photo is there again`,
    measured:
      `backed up in ${measurement.seconds.toFixed(1)} s with ${mb(measurement.memory)} (half of it with ${mb(half.measurement.memory)}): ${mb(archive.size)}; ` +
      `${count(pages.length)} pages meanwhile, p99 ${ms(p99(pages))}; ` +
      `restored in ${back.seconds.toFixed(1)} s with ${mb(back.memory)}: ${count(sum(rows))} rows of ${Object.keys(rows).length} tables, ` +
      `${count(photos)} photos${differing.length > 0 ? `; others in ${differing.join(', ')}` : ''}`,
    isKept: isWhole && growth <= mostGrowth && p99(pages) <= longestPage && code === 0,
  }
}

function sum(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((total, rowsOfTable) => total + rowsOfTable, 0)
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

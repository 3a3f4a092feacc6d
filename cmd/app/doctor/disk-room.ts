import { statfs } from 'node:fs/promises'
import { addresses } from '#db/address'
import { counted, sizeOf } from '../../../internal/base/text/printed-sizes.ts'
import { nearest } from '../../../internal/base/program/nearest.ts'
import { fail, ok, warn, type Finding } from '../../../internal/base/finding.ts'
import type { Config } from '../../../internal/base/settings/config.ts'

/** Checks the free space for the database and the photos. */
export async function roomFindings({ database, files }: Config): Promise<Finding[]> {
  const places: { purpose: string; folder: string }[] = []
  const databaseFolder = addresses.folderOf(database)
  if (databaseFolder !== undefined)
    places.push({ purpose: 'of the database', folder: await nearest(databaseFolder) })
  if (files.disk === 'local')
    places.push({ purpose: 'of the photos', folder: await nearest(files.path) })
  return Promise.all(places.map(roomFinding))
}

const gibibyte = 1024 ** 3

async function roomFinding({
  purpose,
  folder,
}: {
  purpose: string
  folder: string
}): Promise<Finding> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder)
  const free = bavail * bsize
  // A tenth of the disk, but at least 1 GiB and at most 20 GiB.
  const lowMark = Math.max(gibibyte, Math.min((blocks * bsize) / 10, 20 * gibibyte))
  const finding = `The disk ${purpose} has ${sizeOf(free)} of ${sizeOf(blocks * bsize)} free.`
  const advice = 'Make room on it: with none, nothing can be written.'
  if (free < gibibyte / 16) return fail('disk', finding, advice)
  if (files > 0 && ffree < 1000)
    return warn(
      'disk',
      `The disk ${purpose} takes only ${counted(ffree, 'more file')}.`,
      'Delete some on it.',
    )
  return free < lowMark ? warn('disk', finding, advice) : ok('disk', finding)
}

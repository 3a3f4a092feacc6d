import type { Config } from '../settings/config.ts'
import type { Files } from './files.ts'
import { makeSetOwner } from '../program/owner.ts'
import { localFiles } from './local.ts'

/**
 * The place that FILESYSTEM_DISK names. `now` is the clock that requests to a bucket are signed by. With `advise`, what
 * root keeps in a folder is given to the owner of the folder, or it is told what to do.
 */
export async function openFiles(
  config: Config['files'],
  now: () => Date,
  advise?: (advice: string) => void,
): Promise<Files> {
  if (config.disk === 'local')
    return localFiles(config.path, advise && (await makeSetOwner(config.path, advise)))
  // Only now: what signs for a bucket would cost every start.
  const { bucketFiles } = await import('./bucket.ts')
  return bucketFiles(config, now)
}

import type { Config } from '../settings/config.ts'
import type { Files } from './files.ts'
import { makeSetOwner } from '../program/owner.ts'
import { localFiles } from './local.ts'

/**
 * The place that FILESYSTEM_DISK names. `now` is the clock that requests to a bucket are signed by. With `advise`,
 * files that root keeps in a folder are given to the folder's owner, or else `advise` is told what to do.
 */
export async function openFiles(
  config: Config['files'],
  now: () => Date,
  advise?: (advice: string) => void,
): Promise<Files> {
  if (config.disk === 'local')
    return localFiles(config.path, advise && (await makeSetOwner(config.path, advise)))
  // Loaded only for a bucket: the module that signs requests would make every start slower.
  const { bucketFiles } = await import('./bucket.ts')
  return bucketFiles(config, now)
}

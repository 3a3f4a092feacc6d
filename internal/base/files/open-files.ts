import type { Config } from '../settings/config.ts'
import type { Files } from './files.ts'
import { makeSetOwner } from '../program/owner.ts'
import { localFiles } from './local.ts'

/**
 * Opens the place that FILESYSTEM_DISK names. `now` is the clock for signing requests to a bucket. With
 * `advise`, root's new files in a folder are given to its owner; if that fails, `advise` gets what to do.
 */
export async function openFiles(
  config: Config['files'],
  now: () => Date,
  advise?: (advice: string) => void,
): Promise<Files> {
  if (config.disk === 'local')
    return localFiles(config.path, advise && (await makeSetOwner(config.path, advise)))
  // Imported only for a bucket: the module that signs requests would make every start slower.
  const { bucketFiles } = await import('./bucket.ts')
  return bucketFiles(config, now)
}

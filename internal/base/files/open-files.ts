import type { Config } from '../settings/config.ts'
import type { Files } from './files.ts'
import { localFiles } from './local.ts'

/** The place that FILESYSTEM_DISK names. `now` is the clock that requests to a bucket are signed by. */
export async function openFiles(config: Config['files'], now: () => Date): Promise<Files> {
  if (config.disk === 'local') return localFiles(config.path)
  // Only now: what signs for a bucket would cost every start.
  const { bucketFiles } = await import('./bucket.ts')
  return bucketFiles(config, now)
}

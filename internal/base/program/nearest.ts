import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Returns the path itself if it exists, else the nearest folder above it that does. */
export async function nearest(
  path: string,
  statPath: (path: string) => Promise<unknown> = stat,
): Promise<string> {
  const above = dirname(path)
  const isFound = await statPath(path).then(
    () => true,
    () => above === path,
  )
  return isFound ? path : nearest(above, statPath)
}

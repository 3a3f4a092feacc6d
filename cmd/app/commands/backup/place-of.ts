import type { Config } from '../../../../internal/base/settings/config.ts'

/** Names where photos are kept: `the folder /srv/app/files`. */
export function placeOf(files: Config['files']): string {
  return files.disk === 'local' ? `the folder ${files.path}` : `the bucket ${files.bucket}`
}

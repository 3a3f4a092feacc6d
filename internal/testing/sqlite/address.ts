import { join } from 'node:path'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Where a database of a test's own can be, which has this folder to itself. */
export function addressIn(folder: string): DatabaseAddress {
  return { file: join(folder, 'app.db') }
}

/** Where a database is that was kept under another name. */
export function addressAside(name: string): DatabaseAddress {
  return { file: name }
}

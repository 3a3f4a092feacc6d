import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Addresses } from '../address.ts'

export const addresses: Addresses = {
  setting: 'DB_PATH',
  faultsOf: () => [
    'Leave it out: this build keeps its data in SQLite, in the file that DB_PATH names.',
  ],
  nameOf: fileOf,
  isThere: async (address) => statSync(fileOf(address), { throwIfNoEntry: false }) !== undefined,
  folderOf: (address) => dirname(fileOf(address)),
  // SQLite would treat a file of such a name as its own, and overwrite it.
  filesOf: (address) => ['', '-wal', '-shm', '-journal'].map((end) => fileOf(address) + end),
}

/** Returns the path of the database file. Throws for a server's address. */
export function fileOf(address: DatabaseAddress): string {
  if ('file' in address) return address.file
  throw new Error('This build keeps its data in SQLite: set DB_PATH to a file.')
}

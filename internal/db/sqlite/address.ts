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
  // SQLite would take a file of such a name for its own, and overwrite it.
  filesOf: (address) => ['', '-wal', '-shm', '-journal'].map((end) => fileOf(address) + end),
}

/** The path of the file that the database is kept in. Throws for the address of a server. */
export function fileOf(address: DatabaseAddress): string {
  if ('file' in address) return address.file
  throw new Error('This build keeps its data in SQLite: set DB_PATH to a file.')
}

import type { DatabaseAddress } from '../base/settings/config.ts'

/** What may be asked of where a database is before it is opened. */
export interface Addresses {
  /** The setting that says where it is. */
  readonly setting: 'DB_PATH' | 'DB_URL'
  /** As people know it: the file, or the server and the database there, with no password. */
  nameOf(address: DatabaseAddress): string
  /** Whether there is a database. Makes none, and throws where this user may not see it. */
  isThere(address: DatabaseAddress): Promise<boolean>
  /** The folder of this machine that it lies in; undefined on a server. */
  folderOf(address: DatabaseAddress): string | undefined
  /** The files of this machine that are the database, or would be: nobody else may write to them. */
  filesOf(address: DatabaseAddress): readonly string[]
}

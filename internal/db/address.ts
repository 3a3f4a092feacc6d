import type { DatabaseAddress, DatabaseSetting } from '../base/settings/config.ts'

/** What can be asked about the address of a database before the database is opened. */
export interface Addresses extends DatabaseSetting {
  /** As people know it: the file, or the server and the database there, with no password. */
  nameOf(address: DatabaseAddress): string
  /** Whether there is a database. Makes none, and throws where this user may not see it. */
  isThere(address: DatabaseAddress): Promise<boolean>
  /** The folder of this machine that the database lies in; undefined on a server. */
  folderOf(address: DatabaseAddress): string | undefined
  /** The files of this machine that are the database, or would be: nobody else may write to them. None on a server. */
  filesOf(address: DatabaseAddress): readonly string[]
}

import type { DatabaseAddress, DatabaseSetting } from '../base/settings/config.ts'

/** What can be found out about a database's address without opening the database. */
export interface Addresses extends DatabaseSetting {
  /** Its display name: the file, or the server and its database; never a password. */
  nameOf(address: DatabaseAddress): string
  /** Whether the database exists. Creates nothing; throws if this user may not look. */
  isThere(address: DatabaseAddress): Promise<boolean>
  /** The local folder that holds the database; undefined for a server. */
  folderOf(address: DatabaseAddress): string | undefined
  /** The local files that make up the database, existing or not: nobody else may write to them. Empty for a server. */
  filesOf(address: DatabaseAddress): readonly string[]
}

import type { DatabaseAddress } from '../../base/settings/config.ts'
import { scriptIn } from './script.ts'

/** Deletes all users but not their dependent rows, which no statement of the service could do. */
export function deleteUsersAlone(database: DatabaseAddress): Promise<void> {
  return scriptIn(database, 'SET SESSION foreign_key_checks = 0', 'DELETE FROM users')
}

/** Makes the server miss a table's file, as a failing disk would. */
export function damageDatabase(database: DatabaseAddress): Promise<void> {
  return scriptIn(
    database,
    'SET SESSION foreign_key_checks = 0',
    'ALTER TABLE users TABLESPACE innodb_file_per_table',
    'ALTER TABLE users DISCARD TABLESPACE',
  )
}

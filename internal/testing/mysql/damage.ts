import type { DatabaseAddress } from '../../base/settings/config.ts'
import { scriptIn } from './script.ts'

/** From here on what users had belongs to nobody, which no statement of ours could do. */
export function orphanAll(database: DatabaseAddress): Promise<void> {
  return scriptIn(database, 'SET SESSION foreign_key_checks = 0', 'DELETE FROM users')
}

/** Has the server miss the file of a table, as a failing disk does. */
export function damage(database: DatabaseAddress): Promise<void> {
  return scriptIn(
    database,
    'SET SESSION foreign_key_checks = 0',
    'ALTER TABLE users TABLESPACE innodb_file_per_table',
    'ALTER TABLE users DISCARD TABLESPACE',
  )
}

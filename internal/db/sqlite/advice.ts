import type { Advices } from '../advice.ts'
import { howFound, howReplaced } from './connection/errors.ts'

/** Advice for SQLite's errors, by error code. */
export const advices: Advices = [
  {
    codes: /^SQLITE_IOERR_SHORT_READ$/,
    advice: howFound,
  },
  {
    codes: /^SQLITE_(FULL|IOERR.*)$/,
    advice: 'Make room on the disk of the database; if there is some, have the disk looked at.',
  },
  {
    codes: /^SQLITE_BUSY/,
    advice:
      'Try again when that is done, or end it: a restore, a migration, or a program such as a shell of SQLite that has a transaction open. `fuser` and `lsof` tell which processes have the file open.',
  },
  {
    codes: /^SQLITE_CORRUPT/,
    advice: howReplaced,
  },
]

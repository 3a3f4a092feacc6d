import type { Advices } from '../advice.ts'
import { howReplaced } from './errors.ts'

/** What the file refuses once it is open. */
export const advices: Advices = [
  {
    codes: /^SQLITE_(FULL|IOERR.*)$/,
    advice: 'Make room on the disk of the database; if there is some, have the disk looked at.',
  },
  {
    codes: /^SQLITE_(CORRUPT.*|NOTADB)$/,
    advice: howReplaced,
  },
]

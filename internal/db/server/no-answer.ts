import { DatabaseBusy } from '../db.ts'

/** The server accepted a statement but has been silent for so long that it is considered gone. */
export class NoAnswer extends DatabaseBusy {
  /** The error code of an unanswered connection. */
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The database does not answer.')
  }
}

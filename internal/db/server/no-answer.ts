import { DatabaseBusy } from '../db.ts'

/** The server took a statement, and did not answer for so long that it is taken for gone. */
export class NoAnswer extends DatabaseBusy {
  /** The code of a connection that the server does not answer. */
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The database does not answer.')
  }
}

import { DatabaseBusy } from '../db.ts'

/** A server that let itself be asked, and said nothing for so long that it is taken for gone. */
export class NoAnswer extends DatabaseBusy {
  /** As of a connection that it does not take. */
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The database does not answer.')
  }
}

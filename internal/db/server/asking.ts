import type { Answer } from './answer.ts'

/** A connection, as far as statements are asked of it that every kind of server understands. */
export interface Asking {
  ask<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
}

import type { Answer } from './answer.ts'

/** What a connection offers for statements that every kind of server understands. */
export interface Queryable {
  ask<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
}

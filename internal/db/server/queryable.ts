import type { Answer } from './answer.ts'

/** What statements that every kind of server understands need of a connection. */
export interface Queryable {
  ask<Row>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>
}

import { Refusal } from '../answer.ts'

/** Bytes of a form; where a file comes with it, of its other fields. */
export const mostBytes = 64 * 1024
export const mostFields = 100

export function malformed(message: string): Refusal {
  return new Refusal(400, {}, message)
}

export function tooMany(): Refusal {
  return malformed(`Send at most ${mostFields} fields.`)
}

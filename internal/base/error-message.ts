import { wholeSentence } from './text/whole-sentence.ts'

/**
 * Returns what an error says; anything else that was thrown as text. Of a host with several addresses, Node
 * throws an AggregateError that says nothing itself: what happened at each address is returned.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(messageOf))].join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Returns what an error says as a whole sentence, which another may follow. */
export function errorSentence(error: unknown): string {
  return wholeSentence(messageOf(error))
}

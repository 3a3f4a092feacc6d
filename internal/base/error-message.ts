import { wholeSentence } from './text/whole-sentence.ts'

/** Returns what an error says; anything else that was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns what an error says as a whole sentence, which another may follow. */
export function errorSentence(error: unknown): string {
  return wholeSentence(messageOf(error))
}

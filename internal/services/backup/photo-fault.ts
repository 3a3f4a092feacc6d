import { errorCode } from '../../base/error-code.ts'
import { wholeSentence } from '../../base/whole-sentence.ts'

/** What could not be done with a photo, and why. `what`: the beginning of a sentence. */
export function photoFault(what: string, cause: unknown): string {
  const advice = /^(EACCES|EPERM)$/.test(errorCode(cause)) ? ': let this user read it' : ''
  return `${what}${advice}. ${wholeSentence((cause as Error).message)}`
}

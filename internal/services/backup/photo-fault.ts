import { errorCode } from '../../base/error-code.ts'
import { BucketFault } from '../../base/files/bucket-fault.ts'
import { errorSentence } from '../../base/error-message.ts'

/** Says what failed with a photo, why, and what to do. `problem`: the beginning of a sentence. */
export function photoFault(problem: string, cause: unknown): string {
  const advice = /^(EACCES|EPERM)$/.test(errorCode(cause)) ? ': let this user read it' : ''
  const ofBucket = cause instanceof BucketFault ? ` ${cause.advice}` : ''
  return `${problem}${advice}. ${errorSentence(cause)}${ofBucket}`
}

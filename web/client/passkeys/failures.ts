import { passkeyFailures as words } from '#words/passkey-failures'

/** Says to the person why no passkey was made or used, by the name of the error that the browser threw. */
export function failureOf(error: unknown): string {
  switch ((error as Error).name) {
    case 'NotAllowedError':
    case 'AbortError':
      return words.cancelled
    case 'InvalidStateError':
      return words.there
    case 'SecurityError':
      return words.elsewhere
    case 'NotSupportedError':
    case 'ConstraintError':
      return words.unable
    default:
      console.error(error)
      return words.other
  }
}

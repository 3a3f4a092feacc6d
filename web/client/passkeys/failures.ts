import { passkeyFailures as words } from '#words/client/passkey-failures'

/** Returns the message for an error that the browser threw instead of making or using a passkey. */
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

import { appName } from '../../web/contract/name.ts'
import { ConfigError } from '../../internal/base/settings/config-error.ts'
import { escapeControls } from '../../internal/base/escape.ts'

/** What ended a command, as a person at a terminal reads it, and the exit code it ends with (contract: Command line). */
export function explained(error: unknown): { message: string; exitCode: 1 | 3 } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: 3 }
  const message = error instanceof Error ? error.message : String(error)
  // What is thrown on purpose is a sentence that says what to do; of anything else its place is wanted too.
  const isSentence = /[.!]$/.test(message) && !(error instanceof TypeError)
  const stack = error instanceof Error && !isSentence ? `\n${error.stack ?? ''}` : ''
  return { message: shown(`${appName}: ${message}${stack}`), exitCode: 1 }
}

/** A path in it may be of any characters; only its line ends are meant. */
function shown(message: string): string {
  return message.split('\n').map(escapeControls).join('\n')
}

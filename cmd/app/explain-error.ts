import { messageOf } from '../../internal/base/error-message.ts'
import { advices } from '#db/advice'
import { appName } from '../../web/contract/name.ts'
import { ConfigError } from '../../internal/base/settings/config-error.ts'
import { escapeControls } from '../../internal/base/text/escape.ts'
import { wholeSentence } from '../../internal/base/text/whole-sentence.ts'
import { adviceAmong } from '../../internal/db/advice.ts'
import { MigrationFailed } from '../../internal/db/migrate.ts'

/** Returns the message for a person at a terminal, and the exit code (contract: Command line). */
export function explainError(error: unknown): { message: string; exitCode: 1 | 3 } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: 3 }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return { message: `${appName}: ${missingFolderMessage}`, exitCode: 1 }
  const message = messageOf(error)
  const isMigration = error instanceof MigrationFailed
  const advice = adviceAmong(advices, error) ?? (isMigration ? error.advice : undefined)
  if (advice !== undefined)
    return {
      message: escapeLines(`${appName}: ${sentenceOf(error, message)} ${advice}`),
      exitCode: 1,
    }
  // Errors thrown on purpose are sentences that say what to do. Any other is shown with its stack.
  const isSentence = /[.!]$/.test(message) && !(error instanceof TypeError)
  const stack = error instanceof Error && !isSentence ? `\n${error.stack ?? ''}` : ''
  return { message: escapeLines(`${appName}: ${message}${stack}`), exitCode: 1 }
}

const missingFolderMessage =
  'The working folder is gone: go to one that is there, and start it from that.'

/** Returns the message as a sentence, attributed to the database if the error has a code: our own errors have none. */
function sentenceOf(error: unknown, message: string): string {
  const isOwn = !(error instanceof Error && 'code' in error)
  return wholeSentence(isOwn ? message : `The database refused: ${message}`)
}

/** Escapes control characters, which a path in the message may contain, but keeps line ends. */
function escapeLines(message: string): string {
  return message.split('\n').map(escapeControls).join('\n')
}

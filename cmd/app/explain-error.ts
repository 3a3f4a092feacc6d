import { advices } from '#db/advice'
import { appName } from '../../web/contract/name.ts'
import { ConfigError } from '../../internal/base/settings/config-error.ts'
import { escapeControls } from '../../internal/base/escape.ts'
import { wholeSentence } from '../../internal/base/whole-sentence.ts'
import { adviceAmong } from '../../internal/db/advice.ts'
import { MigrationFailed } from '../../internal/db/migrate.ts'

/** What ended a command, as a person at a terminal reads it, and the exit code it ends with (contract: Command line). */
export function explained(error: unknown): { message: string; exitCode: 1 | 3 } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: 3 }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return { message: `${appName}: ${noFolder}`, exitCode: 1 }
  const message = error instanceof Error ? error.message : String(error)
  const isMigration = error instanceof MigrationFailed
  const advice = adviceAmong(advices, error) ?? (isMigration ? error.advice : undefined)
  if (advice !== undefined)
    return { message: shown(`${appName}: ${said(error, message)} ${advice}`), exitCode: 1 }
  // What is thrown on purpose is a sentence that says what to do; of anything else its place is wanted too.
  const isSentence = /[.!]$/.test(message) && !(error instanceof TypeError)
  const stack = error instanceof Error && !isSentence ? `\n${error.stack ?? ''}` : ''
  return { message: shown(`${appName}: ${message}${stack}`), exitCode: 1 }
}

const noFolder = 'The working folder is gone: go to one that is there, and start it from that.'

/** Words of the database itself, unless somebody has told them. */
function said(error: unknown, message: string): string {
  const isTold = !(error instanceof Error && 'code' in error)
  return wholeSentence(isTold ? message : `The database refused: ${message}`)
}

/** A path in it may be of any characters; only its line ends are meant. */
function shown(message: string): string {
  return message.split('\n').map(escapeControls).join('\n')
}

import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../../base/error-code.ts'
import { sizeOf } from '../../../base/text/printed-sizes.ts'
import { fail, ok, warn, type Finding } from '../../../base/finding.ts'
import { shellWord } from '../../../base/text/shell-word.ts'
import { errorSentence } from '../../../base/error-message.ts'
import { appName } from '../../../../web/contract/name.ts'
import { adviceAmong } from '../../advice.ts'
import { advices } from '../advice.ts'
import { unwritable, type Unwritable } from './unwritable.ts'
import { unkeptPragmas, type Connection } from '../connection.ts'
import { damageIn } from './damage.ts'

const check = 'database'

// Bytes. Comparing a larger database with its indexes takes too long.
const large = 1e9
// Bytes: four times the size that SQLite truncates the log to (`journal_size_limit`).
const longLog = 256 * 1024 * 1024

/** The finding for a missing file. */
export function noFile(path: string): Finding {
  const advice = `Set DB_PATH to the database of the server. For a new one ${toBeginWith(path)}`
  return fail(check, `There is no file ${path}.`, advice)
}

/** How to start with a new database. */
function toBeginWith(path: string): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return `make ${folder}: the first start makes the file.`
  const fault = unwritable(path)
  return fault === undefined
    ? 'there is nothing to do: the first start makes it.'
    : `${fault.advice}: the first start makes the file.`
}

export function closedFile(path: string, error: unknown): Finding {
  const usual =
    errorCode(error) === 'SQLITE_NOTADB'
      ? 'Move it away, or set DB_PATH to another file: a backup is not put in the place of what is none.'
      : 'Let this user read and write it and its folder, make room on its disk, or put a backup in its place.'
  return fail(
    check,
    `${path} cannot be opened: ${errorSentence(error)}`,
    adviceAmong(advices, error) ?? usual,
  )
}

/** The finding for a path that is a folder. */
export function folderFinding(path: string): Finding {
  return fail(
    check,
    `${path} is a folder.`,
    `Set DB_PATH to a file, such as ${join(path, `${appName}.db`)}.`,
  )
}

/** The finding for a log whose database is missing: no server would start. */
export function orphanedLogFinding(path: string, log: string): Finding {
  return fail(
    check,
    `There is no database ${path}, but its log ${log}, which holds changes.`,
    'Put the database back beside it, or move the log away to begin without them.',
  )
}

/** The finding for another program's file, which contains `table`: a server would not start on it. */
export function foreignFile(path: string, table: string): Finding {
  return fail(
    check,
    `${path} has tables of another program, such as ${table}.`,
    'Set DB_PATH to another file.',
  )
}

/** The finding for a database file that this user may not read and write: a server would not start on it. */
export function unwritableFile({ finding, advice, isReadOnly }: Unwritable): Finding {
  const orAs = isReadOnly ? '' : `, or run \`${appName} doctor\` as the user of the server`
  const sentence = `${advice}${orAs}.`
  return fail(
    check,
    `${finding}: no server of this user would start.`,
    sentence.charAt(0).toUpperCase() + sentence.slice(1),
  )
}

/** Checks the file itself: who may read it, and how it is written. */
export function fileFindings(path: string, connection: Connection): Finding[] {
  const { size, mode, uid } = statSync(path)
  return [
    ...modeFindings(path, mode),
    ...ownerFindings(path, uid),
    ...logFindings(path),
    settingsFinding(connection),
    ok(check, `${path} can be read, ${sizeOf(size)}.`),
  ]
}

function modeFindings(path: string, mode: number): Finding[] {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  return [
    warn(
      check,
      `${path} is open to other users (mode ${(mode & 0o777).toString(8)}), and holds password hashes.`,
      `chmod 600 ${shellWord(path)}`,
    ),
  ]
}

function ownerFindings(path: string, uid: number): Finding[] {
  const user = process.getuid?.()
  if (user === undefined || user === 0 || uid === user) return []
  return [
    warn(
      check,
      `${path} belongs to user ${uid}, and this is user ${user}.`,
      `Run \`${appName} doctor\` as the user of the server: what this one may do says little.`,
    ),
  ]
}

function logFindings(path: string): Finding[] {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= longLog) return []
  return [
    warn(
      check,
      `The log beside it has grown to ${sizeOf(bytes)}.`,
      'Look for a program that reads the database without an end, such as a shell of SQLite left open.',
    ),
  ]
}

function settingsFinding(connection: Connection): Finding {
  const version = connection.prepare('SELECT sqlite_version()').pluck().get() as string
  const [wrong] = unkeptPragmas(connection)
  if (wrong)
    return fail(
      check,
      `SQLite ${version} keeps ${wrong.name} at ${String(wrong.kept)}.`,
      'Take an executable that was built as the README says.',
    )
  const journalMode = connection.pragma('journal_mode', { simple: true }) as string
  if (journalMode === 'wal' || journalMode === 'delete') {
    const next = journalMode === 'wal' ? '' : ' The next start has it write in WAL mode.'
    return ok(check, `SQLite ${version} keeps every setting that the server gives it.${next}`)
  }
  return fail(
    check,
    `It is kept in journal mode ${journalMode}, with which a power cut may damage it.`,
    `Stop what else works on it, and run \`${appName} migrate\`: that sets the mode again.`,
  )
}

/** Checks that its pages and rows are sound. */
export function integrityFindings(path: string, connection: Connection): Finding[] {
  const isLarge = statSync(path).size > large
  const faults = damageIn(connection, isLarge)
  const extent = isLarge
    ? 'its pages were checked, not its indexes: it is large'
    : 'all was checked'
  if (faults.length === 0) return [ok('integrity', `The database is whole; ${extent}.`)]
  return [
    fail(
      'integrity',
      `The database is damaged. ${faults.join(' ')}`,
      `Stop the server, keep a copy of ${path}, and run \`${appName} restore\` with the last good backup. Have the disk and the memory checked.`,
    ),
  ]
}

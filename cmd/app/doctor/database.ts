import { appName } from '../../../web/contract/name.ts'
import { counted, sizeOf } from '../counts-and-sizes.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import {
  compareMigrations,
  type Migration,
  type RanMigration,
} from '../../../internal/db/migrate.ts'
import type { DatabaseFile, Look } from '../../../internal/db/health.ts'

const check = 'database'

// Bytes. What is larger takes too long to compare with its indexes.
const large = 1e9
// What the log is cut to after each checkpoint, and some more.
const longLog = 256 * 1024 * 1024

/** The file itself: who may read it, and how it is written. */
export function fileFindings(look: Look): Finding[] {
  const { name, bytes, file } = look
  const found = file ? ofFile(name, file) : []
  return [...found, modeFinding(look), ok(check, `${name} can be read, ${sizeOf(bytes)}.`)]
}

function ofFile(path: string, { mode, uid, logBytes }: DatabaseFile): Finding[] {
  const found: Finding[] = []
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    found.push(
      warn(
        check,
        `${path} is open to other users (mode ${(mode & 0o777).toString(8)}), and holds password hashes.`,
        `chmod 600 ${path}`,
      ),
    )
  const user = process.getuid?.()
  if (user !== undefined && user !== 0 && uid !== user)
    found.push(
      warn(
        check,
        `${path} belongs to user ${uid}, and this is user ${user}.`,
        `Run \`${appName} doctor\` as the user of the server: what this one may do says little.`,
      ),
    )
  if (logBytes > longLog)
    found.push(
      warn(
        check,
        `The log beside it has grown to ${sizeOf(logBytes)}.`,
        'Look for a program that reads the database without an end, such as a shell of SQLite left open.',
      ),
    )
  return found
}

function modeFinding({ version, journalMode, unkept }: Look): Finding {
  const [wrong] = unkept
  if (wrong)
    return fail(
      check,
      `SQLite ${version} keeps ${wrong.name} at ${String(wrong.kept)}.`,
      'Take an executable that was built as the README says.',
    )
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

/** Whether its pages and rows are whole. */
export function integrityFindings(look: Look): Finding[] {
  const isLarge = look.bytes > large
  const faults = look.faults(isLarge)
  const how = isLarge ? 'its pages were checked, not its indexes: it is large' : 'all was checked'
  if (faults.length === 0) return [ok('integrity', `The database is whole; ${how}.`)]
  return [
    fail(
      'integrity',
      `The database is damaged. ${faults.join(' ')}`,
      `Stop the server, keep a copy of ${look.name}, and run \`${appName} restore\` with the last good backup. Have the disk and the memory checked.`,
    ),
  ]
}

/** What has run, and what this program has. */
export function migrationFindings(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): Finding[] {
  const { pending, changed, unknown } = compareMigrations(migrations, ran)
  const check = 'migrations'
  const found: Finding[] = []
  if (changed.length > 0)
    found.push(
      fail(
        check,
        `${changed.join(', ')} changed since it ran, so that no server starts.`,
        'Put it back as it was, and write a new migration for the change.',
      ),
    )
  if (pending.length > 0)
    found.push(
      fail(
        check,
        `${counted(pending.length, 'migration')} did not run yet, from ${pending[0]} on.`,
        `Run \`${appName} migrate\`, or start the server, which does.`,
      ),
    )
  const newest = unknown.at(-1)
  if (newest !== undefined)
    found.push(
      warn(
        check,
        `The database has ${counted(unknown.length, 'migration')} that this program does not know, up to ${newest}.`,
        'Run the version that made them, or a later one.',
      ),
    )
  return found.length > 0 ? found : [ok(check, `All ${migrations.length} ran.`)]
}

import manifest from '../../package.json' with { type: 'json' }
import { readCommandLine, Refusal } from '../build/command-line.ts'
import { backup } from './backup/backup.ts'
import { moved } from './backup/moved.ts'
import { backlog } from './backlog.ts'
import { clocksApart } from './server/clocks-apart.ts'
import { connectionCut } from './server/connection-cut.ts'
import { connectionsUsedUp } from './server/connections-used-up.ts'
import { databaseKilled } from './server/database-killed.ts'
import { databaseStopped } from './server/database-stopped.ts'
import { manyUsers } from './server/many-users.ts'
import { primaryKilled } from './server/primary-killed.ts'
import { instanceHeld } from './server/instance-held.ts'
import { migrationKilled } from './server/migration-killed.ts'
import { restoreKilled } from './server/restore-killed.ts'
import { instanceKilled } from './server/instance-killed.ts'
import { startsAtOnce } from './server/starts-at-once.ts'
import { clock } from './clock.ts'
import type { Extent, Fault, Verdict } from './tools/fault.ts'
import { errors } from './errors.ts'
import { fsync } from './fsync.ts'
import { full } from './full.ts'
import { descriptors } from './descriptors.ts'
import { jobs } from './jobs.ts'
import { killed } from './killed.ts'
import { migrations } from './migrations.ts'
import { locked } from './locked.ts'
import { isInterrupted, cleanUp, cleanUpForGood } from './tools/cleanup.ts'
import { isBuilt } from './tools/tested-build.ts'
import { restore } from './restore.ts'
import { slow } from './slow.ts'
import { smtp } from './smtp.ts'
import { soak } from './soak.ts'
import { starts } from './starts.ts'
import { stop } from './stop.ts'
import { ToolMissing } from './tools/system-tools.ts'

/** The faults of a build with an embedded database, in the order in which they are tried. */
// oxfmt-ignore
const embeddedFaults: Readonly<Record<string, Fault>> = {
  killed,
  jobs,
  migrations,
  restore,
  backup,
  moved,
  starts,
  stop,
  fsync,
  errors,
  full,
  locked,
  slow,
  smtp,
  clock,
  backlog,
  descriptors,
  soak,
}

/** The faults of a build for a database server. */
// oxfmt-ignore
const serverFaults: Readonly<Record<string, Fault>> = {
  'database-killed':     databaseKilled,
  'database-stopped':    databaseStopped,
  'connection-cut':      connectionCut,
  'connections-used-up': connectionsUsedUp,
  'instance-killed':     instanceKilled,
  'instance-held':       instanceHeld,
  'migration-killed':    migrationKilled,
  'restore-killed':      restoreKilled,
  'clocks-apart':        clocksApart,
  'many-users':          manyUsers,
  starts:                startsAtOnce,
  backup,
}

const faultsByDatabase: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  sqlite: embeddedFaults,
  postgres: { ...serverFaults, 'primary-killed': primaryKilled },
  mysql: serverFaults,
}

const usage = `Usage: npm run faults -- [NAME ...] [--quick] [--minutes N] [--database ${Object.keys(faultsByDatabase).join('|')}]`

interface Selection {
  readonly names: readonly string[]
  readonly extent: Extent
}

/**
 * `npm run faults [name …] [-- --quick] [-- --minutes N] [-- --database postgres|mysql]`: causes what may befall a
 * server, and prints what was measured beside each promise. Exits with 1 if a promise is broken or could not be tried,
 * with 2 for an unknown name.
 */
async function tryAll({ names, extent }: Selection): Promise<number> {
  let shortfalls = 0
  for (const name of names) {
    for (const verdict of await tryFault(faultsByDatabase[extent.database]?.[name], extent)) {
      print(name, verdict)
      if (!verdict.isKept) shortfalls++
    }
  }
  if (isInterrupted()) return 130
  console.log(
    shortfalls === 0 ? 'All hold.' : `${shortfalls} of the promises fall short or were not tried.`,
  )
  return shortfalls === 0 ? 0 : 1
}

async function tryFault(fault: Fault | undefined, extent: Extent): Promise<readonly Verdict[]> {
  try {
    return (await fault?.(extent)) ?? []
  } catch (error) {
    return [
      { fault: 'not tried', promise: 'it is tried', figures: failureText(error), isKept: false },
    ]
  } finally {
    await cleanUp()
  }
}

/** Returns why a fault was not tried: with the stack, unless only a tool is missing. */
function failureText(error: unknown): string {
  if (error instanceof ToolMissing) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function print(name: string, { fault, promise, figures, isKept }: Verdict): void {
  if (isInterrupted()) return
  console.log(`${name}: ${fault}
  promise   ${promise}
  measured  ${figures}
  ${isKept ? 'holds' : 'FALLS SHORT'}\n`)
}

/** Parses the command line. Throws a Refusal that says what is wrong with it. */
function readSelection(args: string[]): Selection {
  const text = { type: 'string' } as const
  const options = { quick: { type: 'boolean' }, minutes: text, database: text } as const
  const { values, positionals } = readCommandLine(usage, { args, options, allowPositionals: true })
  const database = values.database ?? manifest.config.database
  const faultNames = Object.keys(faultsByDatabase[database] ?? {})
  if (faultNames.length === 0)
    throw new Refusal(
      `--database takes ${Object.keys(faultsByDatabase).join(', ')}, not ${database}.`,
      2,
    )
  const unknown = positionals.filter((name) => !faultNames.includes(name))
  if (unknown.length > 0)
    throw new Refusal(`There is no fault ${unknown.join(', ')}, only ${faultNames.join(', ')}.`, 2)
  const minutes = Number(values.minutes ?? (values.quick ? 3 : 60))
  if (!(minutes > 0))
    throw new Refusal(`--minutes takes a number above 0, not ${values.minutes}.`, 2)
  const names = positionals.length > 0 ? positionals : faultNames
  return { names, extent: { quick: values.quick ?? false, minutes, database } }
}

function endEverything(code: number): void {
  void cleanUpForGood().then(() => process.exit(code))
}

try {
  const selection = readSelection(process.argv.slice(2))
  // `on`, not `once`: a second Ctrl-C must not end this process before disks are unmounted.
  const interrupt = () => endEverything(130)
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  process.on('uncaughtException', (error) => {
    console.error(error)
    endEverything(1)
  })
  process.exitCode = isBuilt(selection.extent.database) ? await tryAll(selection) : 1
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  error.print()
}

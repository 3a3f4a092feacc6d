import { parseArgs } from 'node:util'
import { backlog } from './backlog.ts'
import { clock } from './clock.ts'
import type { Extent, Fault, Tried } from './fault.ts'
import { errors } from './errors.ts'
import { fsync } from './fsync.ts'
import { full } from './full.ts'
import { descriptors } from './descriptors.ts'
import { jobs } from './jobs.ts'
import { killed } from './killed.ts'
import { migrations } from './migrations.ts'
import { locked } from './locked.ts'
import { isInterrupted, over, overForGood } from './over.ts'
import { isBuilt } from './servers.ts'
import { restore } from './restore.ts'
import { slow } from './slow.ts'
import { smtp } from './smtp.ts'
import { soak } from './soak.ts'
import { starts } from './starts.ts'
import { stop } from './stop.ts'
import { ToolMissing } from './tools.ts'

/** Every fault, in the order in which they are tried. */
// oxfmt-ignore
const faults: Readonly<Record<string, Fault>> = {
  killed,
  jobs,
  migrations,
  restore,
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

interface Asked {
  readonly names: readonly string[]
  readonly extent: Extent
}

/**
 * `npm run faults [name …] [-- --quick] [-- --minutes N]`: brings about what may befall a server, and tells beside each
 * promise what was measured. Ends with 1 when one falls short or could not be tried, with 2 for a name that is none.
 */
async function tryAll({ names, extent }: Asked): Promise<number> {
  let short = 0
  for (const name of names) {
    for (const tried of await tryOne(name, extent)) {
      print(name, tried)
      if (!tried.holds) short++
    }
  }
  if (isInterrupted()) return 130
  console.log(short === 0 ? 'All hold.' : `${short} of the promises fall short or were not tried.`)
  return short === 0 ? 0 : 1
}

async function tryOne(name: string, extent: Extent): Promise<readonly Tried[]> {
  try {
    return (await faults[name]?.(extent)) ?? []
  } catch (error) {
    return [{ fault: 'not tried', promise: 'it is tried', measured: whyNot(error), holds: false }]
  } finally {
    await over()
  }
}

/** With the stack of what went wrong in the try itself. */
function whyNot(error: unknown): string {
  if (error instanceof ToolMissing) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function print(name: string, { fault, promise, measured, holds }: Tried): void {
  if (isInterrupted()) return
  console.log(`${name}: ${fault}
  promise   ${promise}
  measured  ${measured}
  ${holds ? 'holds' : 'FALLS SHORT'}\n`)
}

/** What was asked for, or the sentence that says what is wrong with it. */
function asked(args: string[]): Asked | string {
  const known = Object.keys(faults)
  const options = { quick: { type: 'boolean' }, minutes: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const unknown = positionals.filter((name) => !known.includes(name))
    if (unknown.length > 0)
      return `There is no fault ${unknown.join(', ')}, only ${known.join(', ')}.`
    const minutes = Number(values.minutes ?? (values.quick ? 3 : 60))
    if (!(minutes > 0)) return `--minutes takes a number above 0, not ${values.minutes}.`
    const names = positionals.length > 0 ? positionals : known
    return { names, extent: { quick: values.quick ?? false, minutes } }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function endEverything(code: number): void {
  void overForGood().then(() => process.exit(code))
}

const wanted = asked(process.argv.slice(2))
if (typeof wanted === 'string') {
  console.error(wanted)
  process.exitCode = 2
} else {
  // Each time, so that whoever presses twice leaves no disk mounted.
  const interrupt = () => endEverything(130)
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  process.on('uncaughtException', (error) => {
    console.error(error)
    endEverything(1)
  })
  process.exitCode = isBuilt() ? await tryAll(wanted) : 1
}

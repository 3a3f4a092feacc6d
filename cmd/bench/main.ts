import { existsSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine, Refusal } from '../build/command-line.ts'
import { appName } from '../../web/contract/name.ts'
import { compareWithBuild } from './compare-builds.ts'
import { compareWithSqlite } from './compare-databases.ts'
import { closing } from './closing.ts'
import { hashing } from './hashing.ts'
import { lists } from './lists.ts'
import { pages } from './pages.ts'
import { checkPeers, peers } from './peers.ts'
import { Programs } from './programs.ts'
import { streams } from './streams.ts'
import { atRest, sizes, starting } from './rest.ts'
import { printNotes, printTable } from './table.ts'

const parts = { hashing, pages, lists, streams, starting, atRest, sizes }
const usage = `Usage: npm run bench -- [${Object.keys(parts).join(' ')}] [--against FOLDER] [--peers] [--database postgres|mysql]`

/**
 * `npm run bench [part …]`: compares the executable with its upper bounds in interleaved rounds; `npm run bench --
 * --against <folder>`: with the build in another folder, such as an earlier commit's; with `--peers`: with other
 * projects, whose packages are in `peers/`; with `--database postgres`: a build for a database server with one for
 * SQLite, building both. It judges nothing: the ratios are for a person who knows what else the machine was doing.
 */
async function bench(
  names: readonly string[],
  { against, peers: withPeers = false }: { against?: string; peers?: boolean },
): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0)
    throw new Error(
      `There is no part ${unknown.join(', ')}, only ${Object.keys(parts).join(', ')}.`,
    )
  if (withPeers) checkPeers()
  const executable = fileURLToPath(new URL(`../../dist/${appName}`, import.meta.url))
  if (!existsSync(executable)) throw new Error('There is no executable: run `npm run build` first.')
  const otherExecutable = against === undefined ? undefined : join(against, 'dist', appName)
  if (otherExecutable !== undefined && !existsSync(otherExecutable))
    throw new Error(
      `There is no executable ${otherExecutable} to compare with: run \`npm run build\` there.`,
    )
  const before = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`
  const programs = new Programs(executable)
  const otherPrograms = otherExecutable === undefined ? undefined : new Programs(otherExecutable)
  const close = () => Promise.all([programs.close(), otherPrograms?.close()])
  await closing(close, async () => {
    if (otherPrograms) printTable(await compareWithBuild(programs, otherPrograms))
    else if (withPeers) printTable(await peers(programs))
    else await printParts(programs, names)
    printNotes(before)
  })
}

/** Runs the parts with these names, or all if none is named, and prints their tables. */
async function printParts(programs: Programs, names: readonly string[]): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    printTable(await part(programs))
    await programs.end()
  }
}

try {
  const { positionals, values } = readCommandLine(usage, {
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      against: { type: 'string' },
      database: { type: 'string' },
      peers: { type: 'boolean' },
    },
  })
  if (values.database === undefined) await bench(positionals, values)
  else await compareWithSqlite(values.database)
} catch (error) {
  if (error instanceof Refusal) error.print()
  else {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

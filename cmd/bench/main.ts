import { existsSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { appName } from '../../web/contract/name.ts'
import { hashing } from './hashing.ts'
import { pages } from './pages.ts'
import { Programs } from './programs.ts'
import { streams } from './streams.ts'
import { atRest, sizes, starting } from './rest.ts'
import { printNotes, printTable } from './table.ts'

const parts = { hashing, pages, streams, starting, atRest, sizes }

/**
 * `npm run bench [part …]`: what the executable does, beside what it cannot be faster than, in interleaved rounds.
 * It judges nothing: the ratios are for a person, who knows what else the machine was doing.
 */
async function bench(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0)
    throw new Error(
      `There is no part ${unknown.join(', ')}, only ${Object.keys(parts).join(', ')}.`,
    )
  const executable = fileURLToPath(new URL(`../../dist/${appName}`, import.meta.url))
  if (!existsSync(executable)) throw new Error('There is no executable: run `npm run build` first.')
  const before = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`
  const programs = new Programs(executable)
  const onSignal = () => void programs.close().then(() => process.exit(130))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (names.length > 0 && !names.includes(name)) continue
      printTable(await part(programs))
      await programs.end()
    }
    printNotes(before)
  } finally {
    await programs.close()
  }
}

try {
  await bench(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

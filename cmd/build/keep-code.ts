import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { names, open } from '../../internal/base/program/bundled-program.ts'
import { environment } from '../../internal/base/settings/config.ts'

interface Program {
  main(): Promise<void>
}

// Run by the build in the folder of what it puts together: has the server start as it would in the executable, stops it once
// it has answered, and keeps what V8 made of all that ran. One that does not start, since it needs a database server or
// a setting that the build does not know, leaves what V8 made of it until then.
/** V8's own notes of how often a function ran, and how long ago, are no part of it. */
const noted = ['sparkplug', 'flush-bytecode']
// Milliseconds: longer than any start, and not for ever.
const longestStart = 20_000

for (const name of noted) setFlagsFromString(`--no-${name}`)
// The name is kept as well: not one of this machine.
const { script, program } = open<Program>(readFileSync(names.source), {
  file: `/${names.source}`,
  folder: resolve('files'),
})
process.once('exit', () => {
  // What is kept holds for a runtime with the same flags.
  for (const name of noted) setFlagsFromString(`--${name}`)
  writeFileSync(names.code, script.createCachedData())
  process.exitCode = 0
})
void program.main().then(() => process.exit())
const late = AbortSignal.timeout(longestStart)
while (!late.aborted && !(await isUp())) await pause(10)
process.emit('SIGTERM', 'SIGTERM')

function isUp(): Promise<boolean> {
  const { promise, resolve: answer } = Promise.withResolvers<boolean>()
  const asked = get(`http://127.0.0.1:${environment().PORT}/up`, (response) => {
    response.resume()
    answer(response.statusCode === 200)
  })
  asked.once('error', () => answer(false))
  return promise
}

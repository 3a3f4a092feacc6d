import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { names, open } from '../../internal/base/program/bundled-program.ts'
import { environment } from '../../internal/base/settings/config.ts'
import { languageNames } from '../../web/contract/languages.ts'

interface Program {
  main(): Promise<void>
}

// Run by the build in the folder of what it puts together: has the server start as it would in the executable, stops it once
// it has answered, and keeps what V8 made of all that ran. One that ends by itself, since it needs a database server or
// a setting that the build does not know, leaves what V8 made of it until then. One that does not answer, or has no page,
// ends the build.
/** V8's own notes of how often a function ran, and how long ago, are no part of it. */
const noted = ['sparkplug', 'flush-bytecode']
// The exit code for it (contract: Command line).
const settingsMissing = 3
// Milliseconds: longer than any start or answer, and not for ever.
const patience = 20_000

let fault: string | undefined
for (const name of noted) setFlagsFromString(`--no-${name}`)
// The name is kept as well: not one of this machine.
const { script, program } = open<Program>(readFileSync(names.source), {
  file: `/${names.source}`,
  folder: resolve('files'),
})
process.once('exit', (code) => {
  // What is kept holds for a runtime with the same flags.
  for (const name of noted) setFlagsFromString(`--${name}`)
  writeFileSync(names.code, script.createCachedData())
  if (code !== 0 && code !== settingsMissing) fault ??= `The server ended with ${code}.`
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  process.exitCode = fault === undefined ? 0 : 1
})
void program.main().then(() => process.exit())
const late = AbortSignal.timeout(patience)
while (!late.aborted && (await statusOf('/up')) !== 200) await pause(10)
if (late.aborted) fault = `The server did not answer within ${patience / 1000} seconds.`
// Pages are read with the first of each language.
else for (const language of languageNames) await readPages(language)
process.emit('SIGTERM', 'SIGTERM')

async function readPages(language: string): Promise<void> {
  const status = await statusOf('/login', { 'Accept-Language': language })
  if (status !== 200) fault ??= `The server answered /login (${language}) with ${status}.`
}

/** undefined when there is no answer. */
function statusOf(path: string, more: Record<string, string> = {}): Promise<number | undefined> {
  const { promise, resolve: answer } = Promise.withResolvers<number | undefined>()
  const { PORT: port = '' } = environment()
  const headers = { ...more, Host: `localhost:${port}` }
  const signal = AbortSignal.timeout(patience)
  const asked = get({ host: '127.0.0.1', port, path, headers, signal }, (response) => {
    response.resume()
    answer(response.statusCode)
  })
  asked.once('error', () => answer(undefined))
  return promise
}

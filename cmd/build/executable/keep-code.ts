import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { names, open } from '../../../internal/base/program/bundled-program.ts'
import { environment } from '../../../internal/base/settings/config.ts'
import { languageNames } from '../../../web/contract/languages.ts'

interface Program {
  main(): Promise<void>
}

// The build runs this in the folder where it assembles the executable. It starts the server as the executable would,
// stops it once it has answered, and writes the code that V8 compiled of all functions that ran. A server that ends by
// itself, because it needs a database server or a setting that the build does not know, contributes the code compiled
// until then. A server that does not answer, or not with its pages, fails the build.
/**
 * V8's features that record how often and how recently functions ran: off, since their records would be in the code.
 */
const profiling = ['sparkplug', 'flush-bytecode']
// The exit code for missing settings (contract: Command line).
const missingSettingsCode = 3
// Milliseconds: longer than any start or answer, but finite.
const patience = 20_000

let fault: string | undefined
for (const name of profiling) setFlagsFromString(`--no-${name}`)
// The name is in the code too, so it must not be a path of this machine.
const { script, program } = open<Program>(readFileSync(names.source), {
  file: `/${names.source}`,
  folder: resolve('files'),
})
process.once('exit', (code) => {
  // Restored before the code is written: V8 accepts it only with the flags under which it was written.
  for (const name of profiling) setFlagsFromString(`--${name}`)
  writeFileSync(names.code, script.createCachedData())
  if (code !== 0 && code !== missingSettingsCode) fault ??= `The server ended with ${code}.`
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  process.exitCode = fault === undefined ? 0 : 1
})
void program.main().then(() => process.exit())
const deadline = AbortSignal.timeout(patience)
while (!deadline.aborted && (await statusOf('/up')) !== 200) await pause(10)
if (deadline.aborted) fault = `The server did not answer within ${patience / 1000} seconds.`
// One page per language, so that the server evaluates that language's pages.
else for (const language of languageNames) await readPages(language)
process.emit('SIGTERM', 'SIGTERM')

async function readPages(language: string): Promise<void> {
  const status = await statusOf('/login', { 'Accept-Language': language })
  if (status !== 200) fault ??= `The server answered /login (${language}) with ${status}.`
}

/** undefined if there is no answer. */
function statusOf(
  path: string,
  extraHeaders: Record<string, string> = {},
): Promise<number | undefined> {
  const { promise, resolve: answer } = Promise.withResolvers<number | undefined>()
  const { PORT: port = '' } = environment()
  const headers = { ...extraHeaders, Host: `localhost:${port}` }
  const signal = AbortSignal.timeout(patience)
  const request = get({ host: '127.0.0.1', port, path, headers, signal }, (response) => {
    response.resume()
    answer(response.statusCode)
  })
  request.once('error', () => answer(undefined))
  return promise
}

import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { errorCode } from '../../internal/base/error-code.ts'
import type { Config } from '../../internal/base/settings/config.ts'
import { endBundling } from '../build/bundle/bundle.ts'
import { makeRebuild } from './dev/build.ts'
import { makeProxy } from './dev/proxy.ts'
import { writeDotEnv } from './dev/dot-env.ts'
import { Runner } from './dev/runner.ts'
import { Stage } from './dev/server-state.ts'
import { explainError } from './explain-error.ts'
import { readSettings } from './settings/read-settings.ts'

// All paths below are relative to the project's folder.
process.chdir(resolve(import.meta.dirname, '../..'))

try {
  await develop()
} catch (error) {
  const { message, exitCode } = explainError(error)
  console.error(message)
  process.exit(exitCode)
}

/** Serves the project, rebuilding and restarting it after each change, until Ctrl-C. */
async function develop(): Promise<void> {
  writeDotEnv('.env')
  const { config } = await readSettings()
  const stage = new Stage()
  const port = await listen(makeProxy(stage, config.origin), config)
  warnOfOtherPort(config.origin, port)
  // Outside node_modules, which `npm ci` empties.
  const runner = new Runner(stage, makeRebuild(resolve('dist/.dev')))
  // `on`, not `once`: Ctrl-C arrives twice, from the terminal and from npm, which forwards it.
  const stop = () => void Promise.all([runner.stop(), endBundling()]).then(() => process.exit(0))
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  watchProject(() => void runner.renew())
  await runner.renew()
  const mails = config.mail ? '' : ` Mails are kept at ${config.origin}/_dev/mail.`
  console.log(`Open ${config.origin}.${mails} Ctrl-C stops.`)
}

/** Listens, and returns the port. */
async function listen(proxy: Server, { host, port }: Config): Promise<number> {
  try {
    await once(proxy.listen(port, host), 'listening')
    return (proxy.address() as AddressInfo).port
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error
    const otherSettings = `PORT=${port + 1} and APP_URL=http://localhost:${port + 1}`
    throw new Error(
      `Port ${port} of ${host} is taken. Stop what listens there, or put ${otherSettings} into .env.`,
      { cause: error },
    )
  }
}

/** Warns if APP_URL has a different port from the server: forms are refused when their origin is not APP_URL's. */
function warnOfOtherPort(origin: string, port: number): void {
  const { protocol, hostname, port: namedPort } = new URL(origin)
  if (protocol !== 'http:' || hostname !== 'localhost' || Number(namedPort || 80) === port) return
  console.warn(
    `APP_URL is ${origin}, but the server listens on port ${port}, where forms are refused: put APP_URL=http://localhost:${port} into .env, or PORT=${namedPort || 80}.`,
  )
}

/** Calls `onChange` once per burst of changes to the sources of the server and its pages. */
function watchProject(onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, 20)
  }
  for (const folder of ['cmd/app', 'internal', 'web', 'migrations'])
    watch(folder, { recursive: true }, (_, file) => !file?.includes('.test.') && schedule())
  // Watches the folder rather than the files: an editor may replace a file, which would end a watch of the file.
  watch('.', (_, file) => (file === '.env' || file === 'package.json') && schedule())
  // npm deletes this list before it installs, and writes it after all packages are in place.
  const packageList = '.package-lock.json'
  watch(
    'node_modules',
    (_, file) => file === packageList && existsSync(`node_modules/${packageList}`) && schedule(),
  )
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { environment } from '../../internal/base/settings/config.ts'
import { readDotEnv } from '../../internal/base/settings/dot-env.ts'
import manifest from '../../package.json' with { type: 'json' }

// What `npm start` runs: the development runner for the database of the project, with a server where it needs one.
process.chdir(resolve(import.meta.dirname, '../..'))

const { database } = manifest.config
if (database === 'sqlite') await import('./dev.ts')
else process.exitCode = await developOnServer(database)

/** Starts the server that npm brings when no DB_URL names another one, and stops it in the end. */
async function developOnServer(database: string): Promise<number> {
  if (database === 'mysql' && !namesServer()) return askForMysql()
  const server = namesServer() ? undefined : await ownServer()
  try {
    const words = [`--conditions=${database}`, 'cmd/app/dev.ts']
    const env = { ...environment(), ...(server && { DB_URL: server.url }) }
    const runner = spawn(process.execPath, words, { stdio: 'inherit', env })
    // From a terminal it is told to stop besides: the second time does no harm.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void runner.kill(signal))
    const [code] = (await once(runner, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    await server?.stop()
  }
}

/** npm brings none. */
function askForMysql(): number {
  console.error(`There is no MySQL: bring one up, such as by these two commands, and start again.

  docker run -d -p 127.0.0.1:3306:3306 -e MYSQL_DATABASE=app -e MYSQL_ROOT_PASSWORD=app mysql:8.4
  echo 'DB_URL=mysql://root:app@127.0.0.1/app' >> .env`)
  return 1
}

function namesServer(): boolean {
  const written = existsSync('.env') ? readDotEnv(readFileSync('.env', 'utf8')).values : {}
  return ['DB_URL', 'DB_URL_FILE'].some((name) => environment()[name] || written[name])
}

async function ownServer() {
  const { startServer } = await import('../../internal/testing/postgres/embedded-server.ts')
  const server = await startServer('.postgres', { durable: true })
  console.log(`PostgreSQL keeps its data in .postgres, and is reached at ${server.url}.`)
  return server
}

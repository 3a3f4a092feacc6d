import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { environment } from '../../../internal/base/settings/config.ts'
import { readDotEnv } from '../../../internal/base/settings/dot-env.ts'

/** Runs the development runner for a database on a server, with further settings, and returns its exit code. */
export async function develop(
  database: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> {
  const args = [`--conditions=${database}`, 'cmd/app/dev.ts']
  const env = { ...environment(), ...settings }
  const runner = spawn(process.execPath, args, { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to the runner as well: a second signal is harmless to it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void runner.kill(signal))
  const [code] = (await once(runner, 'exit')) as [number | null]
  return code ?? 1
}

/** Whether the environment or `.env` names a database server. */
export function isServerNamed(): boolean {
  const dotEnv = existsSync('.env') ? readDotEnv(readFileSync('.env', 'utf8')).values : {}
  return ['DB_URL', 'DB_URL_FILE'].some((name) => environment()[name] || dotEnv[name])
}

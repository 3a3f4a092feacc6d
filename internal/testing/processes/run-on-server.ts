import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { memory } from './folders.ts'

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Runs the tests on the database server named by DB_URL, else on one started for them. Takes vitest's arguments. */
export async function runTests(
  database: string,
  startServer: (folder: string) => Promise<Server>,
): Promise<void> {
  const folder = mkdtempSync(join(memory, `${database}-`))
  // The server may run as another user, who must be able to reach the folder.
  chmodSync(folder, 0o755)
  const configuredUrl = process.env['DB_URL']
  const server = configuredUrl
    ? { url: configuredUrl, stop: async () => {} }
    : await startServer(folder)
  try {
    const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
    const args = ['run', '--config', 'internal/testing/vitest.config.ts', ...process.argv.slice(2)]
    const child = spawn(process.execPath, [vitest, ...args], {
      stdio: 'inherit',
      env: {
        ...process.env,
        DB_URL: server.url,
        DB_GOES_WITH_TESTS: configuredUrl ? 'no' : 'yes',
        // Also for the processes that tests start.
        NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --conditions=${database}`,
      },
    })
    process.on('SIGINT', () => {})
    // They come to this process alone: the tests have to end before their server is stopped.
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    const [code] = (await once(child, 'exit')) as [number | null]
    process.exitCode = code ?? 1
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

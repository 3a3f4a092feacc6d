import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../testing/processes/folders.ts'
import { startServer } from '../../testing/postgres/embedded-server.ts'

test('a server for development ends with the process that a signal ends while the server starts', async () => {
  const folder = mkdtempSync(join(memory, 'started-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Making the data has a lock of its own, before the server's.
  await startServer(folder, { durable: true }).then((server) => server.stop())
  const module = new URL('../../testing/postgres/embedded-server.ts', import.meta.url).href
  const code = `
    const { startServer } = await import(${JSON.stringify(module)})
    const server = await startServer(${JSON.stringify(folder)}, { durable: true })
    // On a slow machine the signal may come this late.
    await server.stop()`
  const starting = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' })
  const lock = join(folder, 'data/postmaster.pid')
  await expect.poll(() => existsSync(lock), { interval: 1 }).toBe(true)
  starting.kill('SIGINT')
  await once(starting, 'close')
  await expect.poll(() => existsSync(lock)).toBe(false)
})

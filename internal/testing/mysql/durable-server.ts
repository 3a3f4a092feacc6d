import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { memory } from '../processes/folders.ts'
import { startServer, type OwnServer } from './own-server.ts'

/** Starts a server with additional settings, durable over a power cut, until the end of the test. */
export async function startDurableServer(more: readonly string[]): Promise<OwnServer> {
  const folder = mkdtempSync(join(memory, 'server-'))
  chmodSync(folder, 0o755)
  const server = await startServer(folder, { durable: true, extraArgs: more })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  return server
}

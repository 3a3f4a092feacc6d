import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { memory } from '../processes/folders.ts'
import { startServer, type OwnServer } from './own-server.ts'

/** A server with further settings, durable over a power cut, until the test is over. */
export async function serverWith(more: readonly string[]): Promise<OwnServer> {
  const folder = mkdtempSync(join(memory, 'server-'))
  chmodSync(folder, 0o755)
  const server = await startServer(folder, { durable: true, more })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  return server
}

import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { authorityIn, serverCertificate } from '../network/certificates.ts'
import { memory } from '../processes/folders.ts'
import { startServer } from './embedded-server.ts'

interface Secured {
  readonly port: number
  /** The folder of its socket, which requires no authentication. */
  readonly socket: string
  /** The certificate file of the authority that signed the server's, which names localhost and no address. */
  readonly authority: string
  /** The certificate file of another authority, which did not sign the server's. */
  readonly stranger: string
}

/**
 * Starts a server until the end of the test, runs the script on it, then admits only its superuser without TLS or a
 * password.
 */
export async function securedServer(script: string, notAfter?: Date): Promise<Secured> {
  const folder = mkdtempSync(join(memory, 'secured-'))
  chmodSync(folder, 0o755)
  const server = await startServer(folder, { durable: false, socket: true })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const authority = await authorityIn(folder, 'authority')
  const stranger = await authorityIn(folder, 'stranger')
  const lines = [
    'local all all trust',
    'host all app 127.0.0.1/32 trust',
    'hostssl all all 127.0.0.1/32 scram-sha-256',
  ]
  const data = join(folder, 'data')
  const { uid, gid } = statSync(data)
  const { certificate, key } = await serverCertificate(authority, notAfter)
  const files = { 'server.crt': certificate, 'server.key': key, 'pg_hba.conf': lines.join('\n') }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), `${text}\n`, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
  const connection = await Connection.open(serverOf({ url: server.url }))
  await connection.script(script)
  await connection.script('ALTER SYSTEM SET ssl = on')
  await connection.script('SELECT pg_reload_conf()')
  await connection.end()
  await expect.poll(() => isEncrypted(`${server.url}?sslmode=prefer`)).toBe(true)
  return {
    port: Number(new URL(server.url).port),
    socket: data,
    authority: authority.file,
    stranger: stranger.file,
  }
}

async function isEncrypted(url: string): Promise<boolean> {
  const connection = await Connection.open(serverOf({ url }))
  const [is] = await connection.rows('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  await connection.end()
  return is?.[0] === true
}

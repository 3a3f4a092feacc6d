import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'
import { authorityIn, serverCertificate } from '../network/certificates.ts'
import { memory } from '../processes/folders.ts'
import { startServer } from './own-server.ts'

interface Secured {
  readonly port: number
  readonly socket: string
  /** The certificate file of the authority that signed the server's, which names localhost and no address. */
  readonly authority: string
  /** The certificate file of another authority, which did not sign the server's. */
  readonly stranger: string
}

/** Starts a server with a known certificate, and runs these statements on it; it ends at the end of the test. */
export async function securedServer(...statements: readonly string[]): Promise<Secured> {
  const folder = mkdtempSync(join(memory, 'secured-'))
  chmodSync(folder, 0o755)
  const server = await startServer(folder, { durable: false })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const authority = await authorityIn(folder, 'authority')
  const stranger = await authorityIn(folder, 'stranger')
  const { certificate, key } = await serverCertificate(authority)
  const data = join(folder, 'data')
  const { uid, gid } = statSync(data)
  const signedBy = authority.certificate.toString('pem')
  const files = { 'authority.crt': signedBy, 'own.crt': certificate, 'own.key': key }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), `${text}\n`, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
  const connection = await Connection.open(serverOf({ url: server.url }))
  for (const statement of statements) await connection.script(statement)
  await connection.script(
    `SET GLOBAL ssl_ca = 'authority.crt', GLOBAL ssl_cert = 'own.crt', GLOBAL ssl_key = 'own.key'`,
  )
  await connection.script('ALTER INSTANCE RELOAD TLS')
  await connection.end()
  return {
    port: Number(new URL(server.url).port),
    socket: join(data, 's.sock'),
    authority: authority.file,
    stranger: stranger.file,
  }
}

import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { ProxiedConnection } from './open-proxy.ts'
import { proxyDatabase } from './database-proxy.ts'

export interface CuttingProxy {
  readonly address: DatabaseAddress
  /**
   * Cuts the next connection that carries such a statement: before the statement arrives, or when it is answered.
   * `never told`: the statement does not arrive, and neither end notices. `after`: another statement, on any
   * connection, that has to come first.
   */
  cutAt(statement: RegExp, moment: Moment, after?: RegExp): void
  /** Whether such a statement has come since the last call of `cutAt`: its connection is cut, or about to be. */
  readonly isCut: boolean
}

type Moment = 'before it arrives' | 'before its answer' | 'never told'

// So that each statement is sent unencrypted, with its text.
const unencrypted = { sslmode: 'disable', prepare: 'false' }

/**
 * Returns the same database through a proxy that a test can cut, until the end of the test. `query`: of its address.
 */
export async function cuttingProxy(
  database: DatabaseAddress,
  query: Readonly<Record<string, string>> = unencrypted,
): Promise<CuttingProxy> {
  let cut: { readonly statement: RegExp; readonly when: Moment; after?: RegExp } | undefined
  let isCut = false
  const connect = ({ client, server }: ProxiedConnection) => {
    const end = () => {
      client.destroy()
      server.destroy()
    }
    const forwardAnswer = (part: Buffer) => void client.write(part)
    server.on('data', forwardAnswer)
    client.on('data', (part: Buffer) => {
      const text = part.toString('latin1')
      if (cut?.after) {
        if (cut.after.test(text)) delete cut.after
        return server.write(part)
      }
      if (!cut?.statement.test(text)) return server.write(part)
      const { when } = cut
      cut = undefined
      isCut = true
      if (when === 'never told') return
      if (when === 'before it arrives') return end()
      server.off('data', forwardAnswer).once('data', end)
      return server.write(part)
    })
  }
  return {
    address: await proxyDatabase(database, query, connect),
    cutAt(statement, when, after) {
      cut = { statement, when, ...(after && { after }) }
      isCut = false
    },
    get isCut() {
      return isCut
    },
  }
}

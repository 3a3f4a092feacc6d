import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Through } from './open-proxy.ts'
import { proxied } from './database-proxy.ts'

export interface Cutting {
  readonly address: DatabaseAddress
  /**
   * Cuts the next connection that carries such a statement: before the statement arrives, or when it is answered.
   * `never told`: the statement does not arrive, and neither end notices.
   */
  cutAt(statement: RegExp, when: When): void
  /** Whether such a statement has come since the last call of `cutAt`: its connection is cut, or about to be. */
  readonly isCut: boolean
}

type When = 'before it arrives' | 'before its answer' | 'never told'

// So that each statement is sent unencrypted, with its text.
const inTheClear = { sslmode: 'disable', prepare: 'false' }

/**
 * Returns the same database through a proxy that a test can cut, until the end of the test. `query`: of its address.
 */
export async function cutting(
  database: DatabaseAddress,
  query: Readonly<Record<string, string>> = inTheClear,
): Promise<Cutting> {
  let cut: { readonly statement: RegExp; readonly when: When } | undefined
  let isCut = false
  const hand = ({ client, server }: Through) => {
    const end = () => {
      client.destroy()
      server.destroy()
    }
    const back = (part: Buffer) => void client.write(part)
    server.on('data', back)
    client.on('data', (part: Buffer) => {
      if (!cut || !cut.statement.test(part.toString('latin1'))) return server.write(part)
      const { when } = cut
      cut = undefined
      isCut = true
      if (when === 'never told') return
      if (when === 'before it arrives') return end()
      server.off('data', back).once('data', end)
      return server.write(part)
    })
  }
  return {
    address: await proxied(database, query, hand),
    cutAt(statement, when) {
      cut = { statement, when }
      isCut = false
    },
    get isCut() {
      return isCut
    },
  }
}

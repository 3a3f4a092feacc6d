import { errorCode } from '../../base/error-code.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Addresses } from '../address.ts'
import { nameOfHost } from './unreachable.ts'
import type { ServerUrl } from './url.ts'

/** What differs between the kinds of server. */
interface ServerProduct<Url extends ServerUrl> {
  readonly scheme: string
  /** The product's usual name. */
  readonly name: string
  /** An example value of DB_URL, for messages. */
  readonly example?: string
  readonly parse: (text: string) => { readonly url: Url } | { readonly faults: readonly string[] }
  /** The schema that holds the tables, if the setting names one. */
  readonly schemaOf?: (url: Url) => string | undefined
  /** Returns the names of the tables in the database at a URL. */
  readonly tablesAt: (url: Url) => Promise<readonly string[]>
  /** The error code for a database that does not exist. */
  readonly lacking: string
}

interface OnServer<Url extends ServerUrl> extends Addresses {
  /** Returns where the server is and how to connect to it. */
  readonly serverOf: (address: DatabaseAddress) => Url
}

/** Returns the `Addresses` of a kind of server. */
export function addressesOn<Url extends ServerUrl>(product: ServerProduct<Url>): OnServer<Url> {
  const serverOf = (address: DatabaseAddress) => {
    if (!('url' in address))
      throw new Error(`This build keeps its data in ${product.name}: set DB_URL to the server.`)
    const parsed = product.parse(address.url)
    if ('url' in parsed) return parsed.url
    throw new Error(`DB_URL cannot be used. ${parsed.faults.join(' ')}`)
  }
  return {
    setting: 'DB_URL',
    ...(product.example !== undefined && { example: product.example }),
    faultsOf: (text) => {
      const parsed = product.parse(text)
      return 'faults' in parsed ? parsed.faults : []
    },
    nameOf: (address) => {
      const url = serverOf(address)
      const { hosts, user, database } = url
      const schema = product.schemaOf?.(url)
      const inSchema = schema === undefined ? '' : `?search_path=${encodeURIComponent(schema)}`
      return `${product.scheme}://${encodeURIComponent(user)}@${hosts.map(nameOfHost).join(',')}/${encodeURIComponent(database)}${inSchema}`
    },
    // A database without tables counts as missing: it was created for the app, and the first start fills it.
    isThere: async (address) => {
      try {
        return (await product.tablesAt(serverOf(address))).length > 0
      } catch (error) {
        if (error instanceof Error && errorCode(error.cause) === product.lacking) return false
        throw error
      }
    },
    folderOf: () => undefined,
    filesOf: () => [],
    serverOf,
  }
}

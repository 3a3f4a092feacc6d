import { appName } from '../../../web/contract/name.ts'
import { addressesOn } from '../server/address.ts'
import { Connection } from './connection.ts'
import { tableNames } from './schema/tables.ts'
import { readMysqlUrl } from './connection/url.ts'

export const addresses = addressesOn({
  scheme: 'mysql',
  name: 'MySQL',
  example: `mysql://${appName}:<password>@db.example.com/${appName}`,
  parse: readMysqlUrl,
  tablesAt: async (url) => {
    const connection = await Connection.open(url)
    try {
      return await tableNames(connection)
    } finally {
      await connection.end()
    }
  },
  lacking: 'ER_BAD_DB_ERROR',
})

/** Returns where the server is and how to connect to it. */
export const { serverOf } = addresses

import { addressesOn } from '../server/address.ts'
import { Connection } from './connection.ts'
import { tableNames } from './schema/tables.ts'
import { readPostgresUrl } from './connection/url.ts'

export const addresses = addressesOn({
  scheme: 'postgres',
  name: 'PostgreSQL',
  parse: readPostgresUrl,
  schemaOf: ({ schema }) => schema,
  tablesAt: async (url) => {
    const connection = await Connection.open(url)
    try {
      return await tableNames(connection)
    } finally {
      await connection.end()
    }
  },
  lacking: '3D000',
})

/** Returns where the server is and how to connect to it. */
export const { serverOf } = addresses

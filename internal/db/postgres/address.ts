import { addressesOn } from '../server/address.ts'
import { Connection } from './connection.ts'
import { tableNames } from './tables.ts'
import { readPostgresUrl } from './url.ts'

export const addresses = addressesOn({
  scheme: 'postgres',
  name: 'PostgreSQL',
  read: readPostgresUrl,
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

/** Where the server is, and how it is spoken to. */
export const { serverOf } = addresses

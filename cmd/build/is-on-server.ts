import type { Addresses } from '../../internal/db/address.ts'

/** Whether this database needs a database server. */
export async function isOnServer(database: string): Promise<boolean> {
  const { addresses } = (await import(`../../internal/db/${database}/address.ts`)) as {
    addresses: Addresses
  }
  return addresses.setting === 'DB_URL'
}

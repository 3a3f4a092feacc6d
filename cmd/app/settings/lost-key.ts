import { addresses } from '#db/address'
import { health } from '#db/health'
import { offerAddonFolder } from '../../../internal/base/program/addons.ts'
import type { DatabaseAddress } from '../../../internal/base/settings/config.ts'

const consequence = 'nobody with two-factor login gets in, and logins and mailed links end.'

/**
 * Returns why the key must not be a fresh one, in sentences: the database has accounts, or may have some. undefined if
 * there is no database, or no account in it.
 */
export async function lostKeyAdvice(
  database: DatabaseAddress | undefined,
): Promise<string | undefined> {
  if (database === undefined)
    return `If the database has accounts, put their key back: with another one ${consequence}`
  const name = addresses.nameOf(database)
  switch (await accountsIn(database)) {
    case 'none':
      return undefined
    case 'some':
      return `${name} has accounts, so put their key back: with another one ${consequence}`
    case 'unknown':
      return `Whether ${name} has accounts could not be seen. If it has, put their key back: with another one ${consequence}`
  }
}

async function accountsIn(database: DatabaseAddress): Promise<'some' | 'none' | 'unknown'> {
  try {
    offerAddonFolder(addresses.folderOf(database))
    const outcome = await health.inspect(database)
    if (outcome.result !== 'open') return outcome.result === 'closed' ? 'unknown' : 'none'
    const { inspection } = outcome
    try {
      return (await health.hasAccounts(inspection.db)) ? 'some' : 'none'
    } finally {
      await inspection.close()
    }
  } catch {
    // The next start reports why the database cannot be read, once the settings are valid.
    return 'unknown'
  }
}

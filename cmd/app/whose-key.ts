import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { health } from '#db/health'
import { offerAddonFolder } from '../../internal/base/program/addons.ts'

const lost = 'nobody with two-factor login gets in, and logins and mailed links end.'

/**
 * Why the key is not to be a fresh one, in sentences: the database has accounts, or may have. undefined where there is
 * no database, or nobody in it.
 */
export function whoseKey(databasePath: string | undefined): string | undefined {
  if (databasePath === undefined)
    return `If the database has accounts, put their key back: with another one ${lost}`
  switch (accountsIn(databasePath)) {
    case 'none':
      return undefined
    case 'some':
      return `${databasePath} has accounts, so put their key back: with another one ${lost}`
    case 'unseen':
      return `Whether ${databasePath} has accounts could not be seen. If it has, put their key back: with another one ${lost}`
  }
}

function accountsIn(databasePath: string): 'some' | 'none' | 'unseen' {
  try {
    // Unlike that there is none, that nobody may see it is an error.
    if (!statSync(databasePath, { throwIfNoEntry: false })) return 'none'
    offerAddonFolder(dirname(databasePath))
    const look = health.look(databasePath)
    try {
      return look.hasAccounts() ? 'some' : 'none'
    } finally {
      look.close()
    }
  } catch {
    // What keeps it from being read is told once the settings are right.
    return 'unseen'
  }
}

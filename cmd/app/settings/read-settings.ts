import { isSea } from 'node:sea'
import { addresses } from '#db/address'
import { dirname } from 'node:path'
import { ConfigError, type Fault } from '../../../internal/base/settings/config-error.ts'
import { environment } from '../../../internal/base/settings/config.ts'
import { offerAddonFolder } from '../../../internal/base/program/addons.ts'
import { exposedSecrets } from '../../../internal/base/settings/exposed-secrets.ts'
import { readConfig } from '../../../internal/base/settings/read-config.ts'

/**
 * Reads the settings of this process and its working folder, and which of their secrets others may read. Throws a
 * ConfigError that lists every fault.
 */
export async function readSettings() {
  const folder = process.cwd()
  try {
    const settings = readConfig({
      environment: environment(),
      folder,
      // Under the development runner the executable is Node, and photos are not stored beside it.
      beside: isSea() ? dirname(process.execPath) : folder,
      terminal: process.stdout.isTTY,
      database: addresses,
    })
    // Before anything opens a database or hashes, since both load native add-ons.
    offerAddonFolder(addresses.folderOf(settings.config.database))
    return { ...settings, exposed: exposedSecrets(environment(), folder) }
  } catch (error) {
    throw error instanceof ConfigError ? await adviseOnKey(error) : error
  }
}

/**
 * Adds a fresh key to the fault of a missing or invalid APP_KEY. If the database has accounts, that would lock people
 * out: then the fault asks for that database's key instead.
 */
async function adviseOnKey(error: ConfigError): Promise<ConfigError> {
  const { faults, database, warnings, folderWithout } = error
  if (!faults.some(isAboutKey)) return error
  const { lostKeyAdvice } = await import('./lost-key.ts')
  const advice = await lostKeyAdvice(database)
  if (advice === undefined) return error
  const advisedFaults = faults.map((fault) =>
    isAboutKey(fault) ? addKeyAdvice(advice, fault) : fault,
  )
  return new ConfigError(advisedFaults, database, warnings, folderWithout)
}

function isAboutKey({ variable, isDoubled }: Fault): boolean {
  return (variable === 'APP_KEY' || variable === 'APP_KEY_FILE') && !isDoubled
}

function addKeyAdvice(advice: string, { variable, message, line }: Fault): Fault {
  return {
    variable,
    message: `${message} ${advice}`,
    line: variable === 'APP_KEY' ? 'APP_KEY=base64:<the key of this database>' : line,
  }
}

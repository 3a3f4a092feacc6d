import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { environment } from '../../../internal/base/settings/config.ts'
import { readDotEnv } from '../../../internal/base/settings/dot-env.ts'
import { settings } from '../../../internal/base/settings/settings.ts'
import { appName } from '../../../web/contract/name.ts'

/**
 * Writes the settings of a developer's machine, readable only by its owner, unless the file has a key. If the file
 * exists already, for instance with a database address, the missing lines are added. APP_URL gets the port listened
 * on.
 */
export function writeDotEnv(file: string): void {
  const isPresent = existsSync(file)
  const text = isPresent ? readFileSync(file, 'utf8') : ''
  const fileValues = readDotEnv(text).values
  const present = isPresent ? { ...environment(), ...fileValues } : {}
  if (present.APP_KEY || present.APP_KEY_FILE) return
  const port = portOf(fileValues.PORT || environment().PORT || '')
  const values = {
    APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
    APP_DEBUG: 'true',
    APP_URL: `http://localhost:${port}`,
  }
  const missing = Object.entries(values).filter(([name]) => !present[name])
  // The port came from the environment: without this line, a start without that variable would use another port.
  if (!present.APP_URL && port !== settings.PORT.default && !fileValues.PORT)
    missing.push(['PORT', port])
  const lines = missing.map((pair) => `${pair.join('=')}\n`)
  appendFileSync(file, (text === '' || text.endsWith('\n') ? '' : '\n') + lines.join(''), {
    mode: 0o600,
  })
  console.log(`Wrote ${file} with a new APP_KEY.`)
  if (existsSync(`${appName}.db`))
    console.log(`${appName}.db had another: put that one back if its codes are to be taken again.`)
}

/** Replaces 0, which takes any port, and texts that are no port with the default port. */
function portOf(text: string): string {
  return settings.PORT.type.read(text) ? text : settings.PORT.default
}

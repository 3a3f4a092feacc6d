import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { appName } from '../../../web/contract/name.ts'

/** Writes the settings of a developer's machine, readable by its owner alone, when there are none yet. */
export function writeDotEnv(file: string): void {
  if (existsSync(file)) return
  const lines = [
    `APP_KEY=base64:${randomBytes(32).toString('base64')}`,
    'APP_DEBUG=true',
    'APP_URL=http://localhost:3000',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 })
  console.log(`Wrote ${file} with a new APP_KEY.`)
  if (existsSync(`${appName}.db`))
    console.log(`${appName}.db had another: put that one back if its codes are to be taken again.`)
}

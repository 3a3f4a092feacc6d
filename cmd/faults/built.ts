import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { appName } from '../../web/contract/name.ts'

/** The path of the executable that is tried. */
export const built = fileURLToPath(new URL(`../../dist/${appName}`, import.meta.url))

// What a build speaks to its database with, as the list of what is inside names it.
const clients: Readonly<Record<string, string>> = {
  sqlite: 'better-sqlite3',
  postgres: 'postgres',
  mysql: 'mysql2',
}

/** Whether there is something to start for a database; says what to do when there is not. */
export function isBuilt(database: string): boolean {
  const list = `${built}.cdx.json`
  const isFor = () => readFileSync(list, 'utf8').includes(`pkg:npm/${clients[database]}@`)
  if (existsSync(built) && existsSync(list) && isFor()) return true
  console.error(`There is no executable for it: run npm run build -- --database ${database} first.`)
  return false
}

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clientOf } from '../../../internal/testing/tested-database.ts'
import { appName } from '../../../web/contract/name.ts'

/** The path of the tested executable. */
export const built = fileURLToPath(new URL(`../../../dist/${appName}`, import.meta.url))

/** Whether there is an executable for a database; prints what to do if not. */
export function isBuilt(database: string): boolean {
  const billOfMaterials = `${built}.cdx.json`
  const isForDatabase = () =>
    readFileSync(billOfMaterials, 'utf8').includes(`pkg:npm/${clientOf[database]}@`)
  if (existsSync(built) && existsSync(billOfMaterials) && isForDatabase()) return true
  console.error(`There is no executable for it: run npm run build -- --database ${database} first.`)
  return false
}

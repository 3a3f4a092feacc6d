import { databaseNames } from '../../cmd/build/options.ts'
import manifest from '../../package.json' with { type: 'json' }
import { askedCondition } from './asked-condition.ts'

/** Which database the tests are run on: that of the condition which Node was started with, else the project's own. */
export const testedDatabase = askedCondition(databaseNames) ?? manifest.config.database

/** Those of which there is code, and no test of this run. */
export const otherDatabases = databaseNames.filter((name) => name !== testedDatabase)

/** The package that speaks to each, as the list of what is inside an executable names it. */
export const clientOf: Readonly<Record<string, string>> = {
  sqlite: 'better-sqlite3',
  postgres: 'postgres',
  mysql: 'mysql2',
}

/** The packages that speak to a database. */
export const clients = Object.values(clientOf)

/** The one of which there is a build that is tested. */
export const testedClient = clientOf[testedDatabase] ?? ''

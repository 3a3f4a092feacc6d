import { databaseNames } from '../../cmd/build/options.ts'
import manifest from '../../package.json' with { type: 'json' }
import { askedCondition } from './asked-condition.ts'

/** The database that the tests are run on: by the condition that Node was started with, else the project's own. */
export const testedDatabase = askedCondition(databaseNames) ?? manifest.config.database

/** The databases that there is code for, but that this run does not test. */
export const otherDatabases = databaseNames.filter((name) => name !== testedDatabase)

/** The client package of each database, as the list of what is inside an executable names it. */
export const clientOf: Readonly<Record<string, string>> = {
  sqlite: 'better-sqlite3',
  postgres: 'postgres',
  mysql: 'mysql2',
}

/** The client packages of all databases. */
export const clients = Object.values(clientOf)

/** The client package of the tested database. */
export const testedClient = clientOf[testedDatabase] ?? ''

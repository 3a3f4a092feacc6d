import { databaseNames } from '../../cmd/build/options.ts'
import manifest from '../../package.json' with { type: 'json' }
import { nodeCondition } from './node-condition.ts'

/** The database under test: by the condition with which Node was started, else the project's own. */
export const testedDatabase = nodeCondition(databaseNames) ?? manifest.config.database

/** The other databases, which this run does not test. */
export const otherDatabases = databaseNames.filter((name) => name !== testedDatabase)

/** Each database's client package, as the executable's bill of materials names it. */
export const clientOf: Readonly<Record<string, string>> = {
  sqlite: 'better-sqlite3',
  postgres: 'postgres',
  mysql: 'mysql2',
}

/** The client packages of all databases. */
export const clients = Object.values(clientOf)

/** The client package of the tested database. */
export const testedClient = clientOf[testedDatabase] ?? ''

import manifest from '../../package.json' with { type: 'json' }

/** Which database the tests are run on: that of the condition which Node was started with, else the project's own. */
export const testedDatabase =
  /(?:--conditions[= ]|-C ?)(?<name>sqlite|postgres|mysql)/.exec(process.env['NODE_OPTIONS'] ?? '')
    ?.groups?.['name'] ?? manifest.config.database

const clientOf: Readonly<Record<string, string>> = {
  sqlite: 'better-sqlite3',
  postgres: 'postgres',
  mysql: 'mysql2',
}

/** The packages that speak to a database. */
export const clients = Object.values(clientOf)

/** The one of which there is a build that is tested. */
export const testedClient = clientOf[testedDatabase] ?? ''

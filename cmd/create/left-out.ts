import { frontendNames } from '../build/frontend-build.ts'
import { databaseNames } from '../build/options.ts'
import type { Choices } from './choices.ts'

/** Files that no app needs: tools of this project, and tests that compare its databases and frontends. */
const filesOfOriginal = [
  'cmd/app/renamed.test.ts',
  'cmd/bench/',
  'cmd/check/',
  'cmd/create/',
  'cmd/faults/',
  'internal/db/databases.test.ts',
  'internal/services/backup/move.test.ts',
  'internal/testing/formats/canonical-html.test.ts',
  'internal/testing/formats/canonical-html.ts',
  'internal/testing/inertia/',
  'internal/testing/processes/archive-program.ts',
  'internal/testing/processes/run-on-frontend.ts',
  'testdata/readme/',
  'web/contract/frontends.test.ts',
]

/** Files that an app with an embedded database does not need. */
const filesForServers = [
  'cmd/app/cluster/',
  'cmd/app/start/on-server.ts',
  'internal/db/server/',
  'internal/testing/database/held-table.ts',
  'internal/testing/database/on-server.ts',
  'internal/testing/database/rows-read.ts',
  'internal/testing/network/certificates.ts',
  'internal/testing/network/counting-proxy.ts',
  'internal/testing/network/cutting-proxy.ts',
  'internal/testing/network/database-proxy.ts',
  'internal/testing/network/leaving-database.ts',
  'internal/testing/network/lossy-proxy.ts',
  'internal/testing/processes/debian-program.ts',
  'internal/testing/processes/paused-worker.ts',
  'internal/testing/processes/run-on-server.ts',
]

/** Useless for MySQL, which cannot return the rows of a change. */
const filesForReturning = ['internal/db/alike/returning/']

/** The tables that a plan may not read whole: on PostgreSQL none may be. */
const filesForPlans = ['internal/testing/database/growing-tables.ts']

const filesOfDatabase = (name: string) => [
  `cmd/app/cluster/compose.${name}.yaml`,
  `cmd/app/cluster/${name}-`,
  `cmd/app/start/${name}.ts`,
  `internal/db/${name}/`,
  `internal/testing/${name}/`,
  `migrations/${name}/`,
]

const filesOfFrontend = (name: string) => [
  `cmd/build/frontends/${name}.`,
  `internal/testing/${name}/`,
  `web/${name}/`,
]

/** Whether a file of this project is part of an app with these choices. */
export function isKept(file: string, choices: Choices): boolean {
  return !filesLeftOut(choices).some((prefix) => file.startsWith(prefix))
}

function filesLeftOut(choices: Choices): string[] {
  const { databases, frontends } = notChosen(choices)
  return [
    ...filesOfOriginal,
    ...(choices.database === 'sqlite' ? filesForServers : []),
    ...(choices.database === 'mysql' ? filesForReturning : []),
    ...(choices.database === 'postgres' ? filesForPlans : []),
    ...databases.flatMap(filesOfDatabase),
    ...frontends.flatMap(filesOfFrontend),
  ]
}

/** Returns the databases and frontends that were not chosen. */
export function notChosen({ database, frontend }: Choices) {
  return {
    databases: databaseNames.filter((name) => name !== database),
    frontends: frontendNames.filter((name) => name !== frontend),
  }
}

const namePatterns: Readonly<Record<string, string>> = {
  mysql: 'mysql|mariadb|innodb',
  postgres: 'postgres',
  sqlite: 'sqlite',
  preact: 'preact',
  svelte: 'svelte',
  vue: '\\bvue\\b',
}

/** Returns a regular expression that matches the names of the databases and frontends that were not chosen. */
export function patternOfOthers(choices: Choices): string {
  const { databases, frontends } = notChosen(choices)
  return [...databases, ...frontends].map((name) => namePatterns[name] ?? name).join('|')
}

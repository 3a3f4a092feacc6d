import { type Change, notOn, on, onFile, onServer } from './change.ts'

const layers = 'internal/layers.test.ts'
const runner = 'cmd/app/start/on-server.ts'
const runnerTest = 'cmd/app/dev.test.ts'
const dotEnv = 'cmd/app/dev/dot-env.ts'

/** Changes of sources that speak of databases and frontends an app does not have, or of files left out of it. */
// oxfmt-ignore
export const sourceChanges: readonly Change[] = [
  { file: '.ci/run', from: ', on each database and with each frontend, in a clone', to: ', in a clone' },
  { file: '.ci/run', from: /^# The server that the tests of PostgreSQL start .*\n/gm, to: '', when: onFile },
  { file: '.ci/run', from: 'The server that the tests of PostgreSQL start', to: 'The server that the tests start', when: onServer },
  { file: '.ci/run', from: " Of MySQL and PgBouncer Debian's newest is fetched.", to: '', when: onFile },
  { file: '.ci/run', from: 'Of MySQL and PgBouncer', to: 'Of PgBouncer', when: on('postgres') },
  { file: '.ci/run', from: 'Of MySQL and PgBouncer', to: 'Of MySQL', when: on('mysql') },
  { file: '.ci/run', from: /^# Each database and each frontend once.*\n/gm, to: '' },
  { file: '.ci/run', from: /^NODE_OPTIONS=.*\n  npm run test:.*\n/gm, to: '' },
  { file: '.ci/run', from: '# Beside the first tests:', to: '# Beside the tests:' },
  { file: '.ci/run', from: 'sqlite-preact.json"', to: 'tests.json"' },
  { file: '.ci/run', from: '"$clone"/{sqlite-preact,postgres-vue,mysql-svelte}.json', to: '"$clone/tests.json"' },

  { file: '.gitignore', from: /^\*\.db.*\n/gm, to: '', when: onServer },
  { file: '.gitignore', from: '/.postgres/\n', to: '', when: notOn('postgres') },
  { file: '.oxfmtrc.json', from: '  "svelte": true,\n', to: '', when: notOn('svelte') },
  { file: 'tsconfig.json', from: / *"jsx.*\n/g, to: '', when: notOn('preact') },
  { file: 'tsconfig.json', from: /,\n *"internal\/testing\/inertia\/\w+"/g, to: '' },
  { file: 'tsconfig.json', from: /,\n {2}"exclude": \[[^\]]*\]/g, to: '', when: on('preact') },
  { file: 'tsconfig.json', from: / *"web\/vue",\n/g, to: '', when: on('svelte') },
  { file: 'tsconfig.json', from: /,\n *"web\/svelte"/g, to: '', when: on('vue') },
  { file: 'tsconfig.json', from: '\n  "exclude"', to: '\n  "files": ["web/vue/components.d.ts"],\n  "exclude"', when: on('vue') },

  { file: 'Dockerfile', from: ' DB_PATH=/data/app.db', to: '', when: onServer },
  { file: 'cmd/app/app.service', from: 'DB_PATH=/var/lib/app/app.db and ', to: '', when: onServer },
  { file: 'cmd/app/cluster/compose.postgres.yaml', from: ', which was built with "database":\n# "postgres" in package.json.', to: '.\n#', when: on('postgres') },
  { file: 'cmd/app/cluster/compose.mysql.yaml', from: ', which was built with "database": "mysql" in\n# package.json.', to: '.\n#', when: on('mysql') },

  // The development runner: Node needs no condition there, and a database on a server has no file.
  { file: runner, from: 'the development runner for a database on a server, with', to: 'the development runner, with', when: onServer },
  { file: runner, from: '  database: string,\n', to: '', when: onServer },
  { file: runner, from: / *const args = \[.*\n/g, to: '', when: onServer },
  { file: runner, from: 'process.execPath, args,', to: "process.execPath, ['cmd/app/dev.ts'],", when: onServer },
  { file: 'cmd/app/start/postgres.ts', from: /develop\('postgres'(?:, )?/g, to: 'develop(', when: on('postgres') },
  { file: 'cmd/app/start/mysql.ts', from: "develop('mysql')", to: 'develop()', when: on('mysql') },
  { file: dotEnv, from: / *if \(existsSync\(`\$\{appName\}\.db`\)\)\n.*\n/g, to: '', when: onServer },
  { file: dotEnv, from: /import \{ appName \} .*\n/g, to: '', when: onServer },
  { file: runnerTest, from: /import \{ appName \} .*\n/g, to: '', when: onServer },
  { file: runnerTest, from: / *const filesWhileServing = .*\n/g, to: '', when: onServer },
  { file: runnerTest, from: / *\/\/ A server that is still running, [^]*?(?=\}\))/g, to: '', when: onServer },
  { file: runnerTest, from: /function databaseFiles\([^]*?\n\}\n\n/g, to: '', when: onServer },

  { file: 'cmd/build/name-places.test.ts', from: /\n\/\/ In the names of cookies, [^]*$/g, to: '' },
  { file: 'cmd/build/name-places.test.ts', from: /import \{ globSync, .*\n/g, to: '' },
  { file: 'cmd/build/licenses/parts.ts', from: /\.\.\.packages\.map\(.*/g, to: '...packages,', when: onServer },
  { file: 'cmd/build/licenses/parts.ts', from: /\/\*\* Adds SQLite, whose source [^]*?\n\}\n\n/g, to: '', when: onServer },
  { file: 'cmd/build/plugins/plugins.ts', from: / *\/\/ The package names its platforms [^]*?\n {6}\)\n/g, to: '', when: onServer },

  { file: 'cmd/build/plugins/plugins.ts', from: '  target: Target,\n', to: '', when: onServer },
  { file: 'cmd/build/plugins/plugins.ts', from: /import type \{ Target \} .*\n/g, to: '', when: onServer },
  { file: 'build.ts', from: 'addonPlugin(target, ', to: 'addonPlugin(', when: onServer },
  { file: 'cmd/build/bundle/bundle.ts', from: /\/\*\* Compiles TypeScript to JavaScript\.[^]*?\n\}\n\n/g, to: '', when: notOn('vue') },
  { file: 'cmd/build/bundle/bundle.ts', from: '  transformSync,\n', to: '', when: notOn('vue') },

  { file: layers, from: '{ts,tsx,vue,svelte}', to: ({ frontend }) => `{ts,${{ preact: 'tsx' }[frontend] ?? frontend}}` },
  { file: layers, from: /, 'cmd\/(?:bench|check|create|faults)\/[\w./]*'/g, to: '' },
  { file: layers, from: / *\['internal\/db\/server\/'.*\n/g, to: '', when: onFile },
  { file: layers, from: ", 'internal/db/server/'", to: '', when: onFile },
  { file: layers, from: /const ofSqlite = .*\n\n/g, to: '', when: onServer },
  { file: layers, from: / *\{ subject: 'what only SQLite has'.*\n/g, to: '', when: onServer },
  { file: layers, from: 'what only SQLite has, ', to: '', when: onServer },

  { file: 'internal/base/program/durable.ts', from: /\/\*\* Flushes what was written into a file .*\n[^]*?\n\}\n\n/g, to: '', when: onServer },
  { file: 'internal/testing/sqlite/plans.ts', from: /\n\/\*\* .*\nexport async function analyzeJobs\([^]*?\n\}\n/g, to: '', when: onFile },
  { file: 'internal/testing/postgres/server.ts', from: "'test:postgres'", to: "'test'", when: on('postgres') },
  { file: 'internal/testing/mysql/address.ts', from: "'test:mysql'", to: "'test'", when: on('mysql') },
  { file: 'web/contract/pages.ts', from: /\/\*\* What a page is drawn from: its props, .*\n.*\n\n/g, to: '', when: on('vue') },
  { file: 'internal/base/settings/settings.ts', from: 'postgres://', to: 'sql://', when: onFile },
  { file: 'internal/base/settings/settings.ts', from: 'postgres://', to: 'mysql://', when: on('mysql') },
  { file: 'internal/testing/network/counting-proxy.ts', from: / *\/\/ There only a transaction's .*\n/g, to: '', when: on('postgres') },
  { file: 'internal/testing/network/counting-proxy.ts', from: "There only a transaction's", to: "Only a transaction's", when: on('mysql') },
  { file: 'internal/testing/processes/copy-of-project.ts', from: ", '.postgres'", to: '', when: notOn('postgres') },
  { file: 'internal/testing/processes/run-on-server.ts', from: / *\/\/ Also for the processes that tests start\.\n.*\n/g, to: '', when: onServer },
  { file: 'internal/testing/vitest.config.ts', from: /\/\*\*\n \* Tests that bring all the frontends [^]*?(?=const excluded)/g, to: '' },
  { file: 'internal/testing/vitest.config.ts', from: '  ...(isUsual ? [] : independentTests),\n', to: '' },
  { file: 'internal/testing/vitest.config.ts', from: / *oxc: .*\n/g, to: '', when: notOn('preact') },

  { file: 'web/brand/brand.ts', from: 'over one file.', to: 'over one database.', when: onServer },
  { file: 'web/brand/brand.ts', from: 'mit einer Datei.', to: 'mit einer Datenbank.', when: onServer },
]

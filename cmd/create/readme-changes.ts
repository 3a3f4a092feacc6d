import { type Change, notOn, on, onFile, onServer, displayName } from './change.ts'
import type { Choices } from './choices.ts'

type Part = Omit<Change, 'file'>

const databaseOf = ({ database }: Choices) => displayName(database)
const frontendOf = ({ frontend }: Choices) => displayName(frontend)

/** Matches a heading with everything below it, up to the next one. */
function section(heading: string): RegExp {
  return new RegExp(`^${heading}\\n[^]*?(?=^#)`, 'gm')
}

const databasePhrase = ({ database }: Choices) =>
  database === 'sqlite'
    ? 'one SQLite file'
    : `${displayName(database)}, with as many servers as you want`

// oxfmt-ignore
const beginning: readonly Part[] = [
  { from: /one SQLite file, or over PostgreSQL or MySQL\n.*? or Svelte\./g, to: (c) => `${databasePhrase(c)}.\nIts pages are in ${frontendOf(c)}.` },
  { from: /Make an app of your own .*? Put your own name, mark and colours into `web\/brand`\n/g, to: 'Put your own name, mark and colours into `web/brand`\n' },
  { from: /!\[The page where .*\n\n/g, to: '' },
  { from: 'It also installs the browser for the tests; nothing else is needed.', when: on('mysql'), to: `It also installs the browser for the tests, but no MySQL. \`npm start\` needs one, which this starts:

\`\`\`sh
docker run -d -p 127.0.0.1:3306:3306 -e MYSQL_DATABASE=accounts -e MYSQL_ROOT_PASSWORD=root mysql:8.4
echo 'DB_URL=mysql://root:root@127.0.0.1/accounts' >> .env
\`\`\`

\`npm test\` uses the one that \`DB_URL\` names in the environment, otherwise the machine's own, otherwise it fetches Debian's newest.` },
  { from: 'Write two lines into', to: 'Write three lines into', when: onServer },
  { from: '\nAPP_KEY=base64:…  ', to: (c) => `\nDB_URL=${c.database}://user:PASSWORD@db.example.com/accounts?sslmode=verify-full   # an empty database\nAPP_KEY=base64:…  `, when: onServer },
  { from: 'It creates its database, brings it up to date', to: 'It creates its tables, brings them up to date', when: onServer },
  { from: ' or locked, or its file was moved away or replaced, pages', to: ', pages', when: onServer },
  { from: /If somebody deletes the write-ahead log [^]*? stop the server first\.\n\n/g, to: '', when: onServer },
  { from: ' is lost, or its disk fails, in', to: ' is lost in', when: onServer },
]

// oxfmt-ignore
const operation: readonly Part[] = [
  { from: ' \\\n  -e APP_URL=', to: ' \\\n  -v ./db_url:/run/secrets/db_url:ro -e DB_URL_FILE=/run/secrets/db_url -e APP_URL=', when: onServer },
  { from: "read the key's file.", to: 'read the files of the key and of the database address.', when: onServer },
  { from: 'with DB_PATH=/var/lib/app/app.db, FILES_PATH', to: 'with FILES_PATH', when: onServer },
  { from: /Several servers on one database tell each other [^]*? a second\./g, to: 'Processes on one database tell each other of changes through it, within a\nquarter of a second.', when: onFile },
  { from: /Several servers on one database tell each other [^]*? a second\./g, to: 'Several servers on one database tell each other of changes through it, as\nthe change is committed (`NOTIFY`).', when: on('postgres') },
  { from: /Several servers on one database tell each other [^]*? a second\./g, to: 'Several servers on one database tell each other of changes through it,\nwithin a quarter of a second.', when: on('mysql') },
  { from: 'keeps the old one as `app.db.before-restore-<time>`', to: 'keeps the old tables in a schema of their own, whose name it prints', when: on('postgres') },
  { from: 'keeps the old one as `app.db.before-restore-<time>`', to: 'keeps the old tables in a database of their own, whose name it prints', when: on('mysql') },
  { from: /In `app\.db` whatever is deleted [^]*?does the same\./g, to: 'The database keeps a deleted row in its files until `VACUUM` lets its place be used again, and in its log as long as that\nis kept.', when: on('postgres') },
  { from: /In `app\.db` whatever is deleted [^]*?does the same\./g, to: 'The database keeps a deleted row in its files until it is purged and its place used again, and in its binary log as long\nas that is kept.', when: on('mysql') },
  { from: / A damaged database is kept [^]*? If root runs it, the new file [^]*? around it\./g, to: ' If\nroot runs it, photos belong to the owner of `FILES_PATH`, or else of the folder around it.', when: onServer },
  { from: ' or `….restore-…`. The next backup of that name deletes it once it is a day old, the\nnext restore at once.', to: '. The next backup of that name deletes it once it is a day old.', when: onServer },
  { from: 'in `app.db.before-restore-…`, as long', to: 'in what a restore kept aside, as long', when: onServer },
  { from: / With SQLite a power cut [^]*? on the disk\. /g, to: '\n', when: onServer },
  { from: /\| which writes do not wait for the disk.*\n/g, to: '', when: onServer },
  { from: 'packages, Node, SQLite, and', to: 'packages, Node, and', when: onServer },
  { from: /On a database server, the jobs [^]*? With SQLite each/g, to: 'Each', when: onFile },
  { from: 'On a database server, the jobs', to: 'The jobs', when: onServer },
  { from: / With SQLite each holds [^]*? while it runs\./g, to: '', when: onServer },
]

const severalServers = `### Several servers

As many servers as you want can run side by side on one database. They share throttles and sessions, events reach the pages
of all, and each job is run by one. Put the same \`.env\`, with the same \`APP_KEY\`, beside the executable on each machine:
\`HOST\` as the proxy reaches it, the proxy in \`TRUSTED_PROXIES\`, and as \`FILES_PATH\` a folder that all of them share, or
\`FILESYSTEM_DISK=s3\`. The first server that starts brings the tables up to date; the others wait for it.
`

const postgresSection = 'It runs on PostgreSQL 18 or newer.\n'
const mysqlSection = `It runs on MySQL 8.4 or newer, and not on MariaDB. The user needs all rights on the database, and for \`app restore\` on
those whose names begin with its name and \`_\`. The server commits each statement of a migration by itself: if one stops
half-way, the next start stops too and says at which statement, what is in place and what to do.
`

// oxfmt-ignore
const cluster: readonly Part[] = [
  { from: section('### When one machine is no longer enough'), to: '', when: onFile },
  { from: /### When one machine is no longer enough\n[^]*? goes the same way\.\n/g, to: (c) => severalServers + (c.database === 'mysql' ? mysqlSection : postgresSection), when: onServer },
  { from: 'compose.postgres.yaml` starts\n  the three with PostgreSQL and HAProxy in containers, `compose.mysql.yaml` with MySQL.', to: (c) => `compose.${c.database}.yaml\` starts\n  the three with ${databaseOf(c)} and HAProxy in containers.`, when: onServer },
  { from: ', or on PostgreSQL a\n', to: ', or a\n', when: on('postgres') },
  { from: ', or on PostgreSQL a\n  `CONNECTION LIMIT` of the role or the database; doctor says each.', to: '; doctor\n  says how many are in use.', when: on('mysql') },
  { from: '; `npm run check:cluster` tries that.', to: '.', when: onServer },
  { from: /\* \*\*On MySQL\*\* [^]*?\n\n/g, to: '\n', when: onServer },
  { from: /\* \*\*The way back\.\*\* [^]*?how to end it\.\n/g, to: '* **The way back.** A restore builds `accounts_restoring_…` beside the database `accounts`, puts its tables in place in one\n  step, and keeps the old ones as `accounts_before_restore_…`. No server may run beside it. Views, functions, triggers and\n  events are made again after that step, or by the next start if the restore was killed. It waits for whoever uses the\n  tables, and so does a migration that changes one: if somebody\'s transaction stays open for ten seconds, it says whose, and\n  how to end it.\n', when: on('mysql') },
  { from: '`postgres://user:password@host', to: '`mysql://user:password@host', when: on('mysql') },
  { from: /\| what `DB_URL` may say .*\n/g, to: '', when: onFile },
  { from: /\| what a transaction asks of MySQL at once .*\n/g, to: '', when: (c) => c.database !== 'mysql' },
  { from: /; several, with commas between them; or the folder of a Unix socket [^|]*\|/g, to: '; or the file of a Unix socket as `?host=/run/mysqld/mysqld.sock` |', when: on('mysql') },
  { from: "; on MySQL the socket's file itself, `?host=/run/mysqld/mysqld.sock`", to: '', when: on('postgres') },
  { from: /\| `(?:target_session_attrs|search_path)` .*\n/g, to: '', when: on('mysql') },
  { from: '| on PostgreSQL: ', to: '| ', when: on('postgres') },
  { from: /, such as PgBouncer \(.*?\): events are then read four times a second/g, to: '', when: on('mysql') },
]

// oxfmt-ignore
const development: readonly Part[] = [
  { from: section('### An app of your own'), to: `### Later improvements

This was made by \`npm run create\` of another project, the original. To take over what is new there, commit all that you have
in the folder of this one, and run there:

\`\`\`sh
git -C ../original pull && npm --prefix ../original ci      # wherever the original lies
npm --prefix ../original run create -- "$PWD" --again       # makes this one anew, and puts that on its branch \`original\`
git merge original && npm ci && npm test
\`\`\`

If a picture of \`web/brand\` is in conflict, keep yours (\`git checkout --ours web/brand/social-*.png\`). Once all else is
merged, draw it anew: \`npm run brand\`.

` },
  { from: section('### Browsers'), to: '' },
  { from: section('### An Inertia frontend of your own'), to: '' },
  { from: '(what every frontend draws alike)', to: '(what pages are drawn from)' },
  { from: ', by which frontends are compared)', to: ')' },
  { from: '`web/preact`, `web/vue`, `web/svelte` | the pages, once for each frontend:', to: (c) => `\`web/${c.frontend}\` | the pages:` },
  { from: '`migrations/sqlite`, `migrations/postgres`, `migrations/mysql` | one file a change of the database, of the same name in each', to: (c) => `\`migrations/${c.database}\` | one file a change of the database` },
  { from: /and the tests that every database passes; the SQL is in .*? \|/g, to: (c) => `and its tests; the SQL is in \`internal/db/alike\`, \`two-factor.ts\` and \`email-keys.ts\` (what other databases understand too) and \`internal/db/${c.database}\`, whose folders hold what only the files above them use${c.database === 'sqlite' ? '' : ', and what is of any server in `internal/db/server`'} |` },
  { from: 'in `sqlite`, `postgres` and `mysql` what each database does in its own way', to: (c) => `in \`${c.database}\` what belongs to that kind of database` },
  { from: ", and what starts a server |", to: ' |', when: onFile },
  { from: /### Frontends\n[^]*?one once\.\n/g, to: (c) => `### Pages\n\nWords and addresses are in \`web/contract\`, behaviour in the browser in \`web/client\`, so \`web/${c.frontend}\` is only markup.\n` },
  { from: '5 kB of Preact, 17 kB of Svelte or 25 kB of Vue', to: (c) => `${{ preact: '5 kB', svelte: '17 kB' }[c.frontend] ?? '25 kB'} of ${frontendOf(c)}` },
  { from: / In Vue write [^]*? in Svelte\./g, to: '', when: on('preact') },
  { from: ', as it does `style:` in Svelte.', to: '.', when: on('vue') },
  { from: 'In Vue write `v-if`', to: 'Write `v-if`', when: on('vue') },
  { from: / In Vue write [^]*? in Svelte\./g, to: ' The server draws\n`style:` as a style attribute, which the policy blocks.', when: on('svelte') },
  { from: '`web/preact/product/start.tsx`, `web/vue/product/start.vue` or `web/svelte/product/start.svelte`', to: (c) => `\`web/${c.frontend}/product/${{ preact: 'start.tsx', vue: 'start.vue' }[c.frontend] ?? 'start.svelte'}\`` },
  { from: /`web\/preact\/(\w+)\/`, `web\/vue\/\w+\/` and `web\/svelte\/\w+\/`/g, to: (c) => `\`web/${c.frontend}/$1/\`` },
  { from: '`internal/db/alike/`, or where databases differ in', to: '`internal/db/alike/` and' },
  { from: /`internal\/db\/sqlite\/([\w./]*)`, `internal\/db\/postgres\/\1`(?:,| and) `internal\/db\/mysql\/\1`/g, to: (c) => `\`internal/db/${c.database}/$1\`` },
  { from: '* The same file for the other databases in `migrations/`.\n', to: '' },
  { from: / {2}MySQL plans by what tables hold: .*\n/g, to: '', when: notOn('mysql') },
  { from: '`TEXT` in each database, as', to: '`TEXT`, as' },
  { from: 'in each folder of `migrations/`, as for', to: (c) => `in \`migrations/${c.database}/\`, as for` },
]

// oxfmt-ignore
const scripts: readonly Part[] = [
  { from: '; if `package.json` says `"database": "postgres"` and `DB_URL` is not set, runs', to: '; if `DB_URL` is not set, runs', when: on('postgres') },
  { from: /; if `package\.json` says `"database": "postgres"` .*?`\.postgres`/g, to: '', when: onFile },
  { from: /; if `package\.json` says `"database": "postgres"` .*?`\.postgres`/g, to: '; needs the database that `DB_URL` names', when: on('mysql') },
  { from: ', with PostgreSQL `.postgres` and `files`, with MySQL all tables and `files` |', to: ' |', when: onFile },
  { from: '`app.db*` and `files`, with PostgreSQL `.postgres` and `files`, with MySQL all tables and `files` |', to: '`.postgres` and `files` |', when: on('postgres') },
  { from: '`app.db*` and `files`, with PostgreSQL `.postgres` and `files`, with MySQL all tables and `files` |', to: 'all tables and `files` |', when: on('mysql') },
  { from: / `--database postgres` makes it for PostgreSQL, .*? in Svelte;/g, to: '' },
  { from: '| all tests |', to: '| all tests, on a server that it starts and stops, unless `DB_URL` names one; takes files and `-t` as vitest does |', when: onServer },
  { from: ', types of the build for each database,', to: ', types of the build,' },
]

/** What README.md says differently in a new app. */
export const readmeChanges: readonly Change[] = [
  ...beginning,
  ...operation,
  ...cluster,
  ...development,
  ...scripts,
].map((part) => ({ file: 'README.md', ...part }))

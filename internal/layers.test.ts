import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { serverEntryOf } from '../cmd/build/bundle/entry.ts'
import { frontendNames } from '../cmd/build/frontend-build.ts'
import { databaseNames } from '../cmd/build/options.ts'

/** What renders the pages. */
const serverEntries = frontendNames.map(serverEntryOf)

/** What talks to a database, and what tests do in it without the service. */
const databaseRooms = databaseNames.map((name) => `internal/db/${name}/`)
const databaseKits = databaseNames.map((name) => `internal/testing/${name}/`)

/**
 * The rooms of the house, and which others each may import. A file belongs to the first row that its path starts with.
 */
// oxfmt-ignore
const rooms: readonly (readonly [room: string, mayImport: readonly string[]])[] = [
  ['web/brand/',               ['package.json']],
  ['web/contract/',            ['package.json', 'web/brand/']],
  ['web/client/',              ['web/contract/', 'web/styles/']],
  ['web/styles/',              []],
  ['web/preact/',              ['web/brand/', 'web/contract/', 'web/client/']],
  ['web/vue/',                 ['web/brand/', 'web/contract/', 'web/client/']],
  ['web/svelte/',              ['web/brand/', 'web/contract/', 'web/client/']],
  ['internal/base/',           ['web/brand/', 'web/contract/']],
  ['internal/db/sqlite/',      ['internal/base/', 'internal/db/', 'web/contract/name.ts']],
  ['internal/db/postgres/',    ['internal/base/', 'internal/db/', 'web/contract/name.ts']],
  ['internal/db/mysql/',       ['internal/base/', 'internal/db/', 'web/contract/name.ts']],
  ['internal/db/server/',      ['internal/base/', 'internal/db/']],
  ['internal/db/',             ['internal/base/settings/config.ts', 'internal/base/error-code.ts', 'internal/base/finding.ts', 'internal/base/lifetimes.ts']],
  ['internal/app.ts',          ['internal/base/', 'internal/db/', 'web/contract/']],
  ['internal/open-app.ts',     ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/']],
  ['internal/services/',       ['internal/app.ts', 'internal/base/', 'internal/db/', 'web/contract/']],
  ['internal/domain/mails/',   ['internal/base/', 'web/brand/', 'web/contract/']],
  ['internal/domain/notifications/', ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/mails/', 'web/contract/']],
  ['internal/domain/logins/',  ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/notifications/', 'web/contract/']],
  ['internal/domain/photos/',  ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/logins/', 'web/contract/']],
  ['internal/domain/passkeys/', ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/notifications/', 'internal/domain/logins/', 'web/brand/', 'web/contract/']],
  ['internal/domain/two-factor/', ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/notifications/', 'internal/domain/logins/', 'web/contract/']],
  ['internal/domain/tokens/', ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/notifications/', 'internal/domain/logins/', 'web/contract/']],
  ['internal/domain/accounts/', ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/mails/', 'internal/domain/notifications/', 'internal/domain/logins/', 'internal/domain/photos/', 'internal/domain/passkeys/', 'internal/domain/tokens/abilities.ts', 'web/contract/']],
  ['internal/domain/work.ts',   ['internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/']],
  ['internal/http/',           ['package.json', 'internal/app.ts', 'internal/base/', 'internal/db/', 'internal/services/', 'internal/domain/', 'web/brand/', 'web/contract/', 'web/client/core/before-paint.ts', ...serverEntries]],
  ['cmd/build/',               ['web/brand/', 'web/contract/', 'internal/base/', 'internal/db/address.ts']],
  ['cmd/brand/',               ['web/brand/', 'web/contract/', 'internal/base/', 'internal/testing/chromium/start-chromium.ts']],
  ['cmd/bench/',               ['internal/', 'web/contract/', 'cmd/app/serve/line-writer.ts', 'cmd/build/', 'package.json']],
  ['cmd/check/',               ['cmd/bench/table.ts', 'cmd/build/', 'cmd/create/', 'cmd/faults/tools/end-process.ts', 'cmd/faults/server/schema.ts', 'internal/base/', 'web/brand/', 'web/contract/', 'internal/testing/authenticator.ts', 'internal/testing/browser.ts', 'internal/testing/totp.ts', 'internal/testing/chromium/start-chromium.ts', 'internal/testing/chromium/virtual-passkeys.ts', 'internal/testing/postgres/embedded-server.ts', 'internal/testing/mysql/own-server.ts', 'package.json']],
  ['cmd/create/',              ['cmd/build/', 'internal/base/']],
  ['cmd/faults/',              ['internal/', 'web/contract/', 'cmd/bench/', 'cmd/build/command-line.ts', 'package.json']],
  ['cmd/app/',                 ['internal/', 'web/', 'cmd/build/', 'package.json']],
  ['build.ts',                 ['cmd/build/', 'web/contract/']],
]

/** Packages that more than one file may import, and why. */
const shared: Readonly<Record<string, string>> = {
  preact: 'the frontend is written in it',
  vue: 'the frontend is written in it',
  svelte: 'the frontend is written in it',
  esbuild: 'the build and the development runner are programs around it',
  'image-dimensions': 'the server refuses what is too wide, and a browser reads it smaller',
}

const sql =
  /`\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA|EXPLAIN|WITH|CREATE|ALTER|DROP|BEGIN)\s/

const ofSqlite = /\bpragma\b|journal_?mode|\bWAL\b|-(wal|shm|journal)\b|SQLITE_/i

const ofOneDatabase = new RegExp(
  `from '[^']*/(?:${databaseNames.join('|')})/|import \\{[^}]*\\bfileOf\\b`,
)

/** What may touch a thing that only one place may touch. */
// oxfmt-ignore
const only = [
  { subject: 'process.env', found: /\bprocess\.env\b/, in: ['internal/base/settings/config.ts', 'internal/base/program/threads.ts', 'cmd/build/frontends/'] },
  { subject: 'SQL', found: sql, in: [...databaseRooms, 'internal/db/alike/', 'internal/db/server/', 'internal/db/two-factor.ts', 'internal/db/email-keys.ts', 'cmd/bench/', 'cmd/faults/'] },
  { subject: 'what only SQLite has', found: ofSqlite, in: ['internal/db/sqlite/', 'cmd/bench/', 'cmd/faults/', 'cmd/build/licenses/parts.ts'] },
  { subject: 'the address of a database', found: /\bfileOf\(|\bdatabase\.(file|url)\b/, in: ['internal/db/'] },
  { subject: 'HatTip', found: /from '@hattip|import '@hattip/, in: ['internal/http/node/hattip.ts'] },
  { subject: 'Preact', found: /preact/i, in: ['web/preact/', 'cmd/build/frontends/preact.ts', 'cmd/create/', 'cmd/check/create.ts'] },
  { subject: 'Vue', found: /\bvue\b/i, in: ['web/vue/', 'cmd/build/frontends/vue.ts', 'cmd/create/', 'cmd/check/create.ts'] },
  { subject: 'Svelte', found: /svelte/i, in: ['web/svelte/', 'cmd/build/frontends/svelte.ts', 'cmd/create/', 'cmd/check/create.ts'] },
  { subject: 'cookies', found: /Set-Cookie/i, in: ['internal/http/', 'cmd/bench/', 'cmd/check/cluster/', 'cmd/faults/'] },
]

const paths = globSync('{build.ts,{cmd,internal,web}/**/*.{ts,tsx,vue,svelte}}', {
  exclude: ['**/node_modules'],
}).map(toPosix)
const files = paths.filter(isOurs)
const tests = paths.filter((file) => !isOurs(file))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

test('a file imports only from the rooms that its own room may import', () => {
  const breaches = files.flatMap((file) =>
    local(file)
      .filter((target) => !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  )
  expect(
    breaches,
    'Let the row of `rooms` above say so for the folder of the file, or import it where that is said already.',
  ).toEqual([])
})

test('each file belongs to a room', () => {
  const outside = files.filter((file) => !rooms.some(([room]) => file.startsWith(room)))
  expect(
    [...new Set(outside.map((file) => posix.dirname(file)))],
    'Give each of these folders a row in `rooms` above that says what it may import, and name it in the rows of those that import it.',
  ).toEqual([])
})

test('imports form no cycle', () => {
  expect(files.flatMap((file) => circleThrough(file))).toEqual([])
})

test('no file only re-exports', () => {
  const empty = files.filter((file) => /^(export [^;]*? from '[^']+'\s*)+$/.test(statements(file)))
  expect(empty).toEqual([])
})

function statements(file: string): string {
  return source(file)
    .replace(/\/\*.*?\*\/|\/\/.*$/gms, '')
    .trim()
}

test('each package is imported by one file', () => {
  const byPackage = Map.groupBy(
    files.flatMap((file) => packages(file).map((name) => ({ name, file }))),
    ({ name }) => name,
  )
  const many = [...byPackage].filter(([name, users]) => users.length > 1 && !(name in shared))
  expect(many.map(([name, users]) => [name, ...users.map(({ file }) => file)])).toEqual([])
})

test('SQL, addresses, what only SQLite has, cookies, HatTip, each frontend and process.env stay in their rooms', () => {
  const breaches = only.flatMap(({ subject, found, in: places }) =>
    files
      .filter((file) => !places.some((place) => file.startsWith(place)))
      .filter((file) => found.test(source(file)))
      .map((file) => `${subject} in ${file}`),
  )
  expect(breaches).toEqual([])
})

test('only tests of a database contain SQL', () => {
  const found = tests
    .filter(
      (file) =>
        ![...databaseRooms, 'internal/testing/', 'cmd/faults/'].some((at) => file.startsWith(at)),
    )
    .filter((file) => sql.test(source(file)))
  expect(found).toEqual([])
})

test('only tests of a database import code of a single database', () => {
  const found = tests
    .filter((file) => ![...databaseRooms, ...databaseKits].some((at) => file.startsWith(at)))
    .filter((file) => ofOneDatabase.test(source(file)))
  expect(found).toEqual([])
})

function mayImport(file: string, target: string): boolean {
  const from = roomOf(file)
  const to = roomOf(target)
  return from.room === to.room || from.mayImport.some((place) => target.startsWith(place))
}

function roomOf(file: string): { room: string; mayImport: readonly string[] } {
  const [room, mayImport] = rooms.find(([room]) => file.startsWith(room)) ?? [file, []]
  return { room, mayImport }
}

function circleThrough(start: string): string[] {
  const visited = new Set<string>()
  const path: string[] = []
  const visit = (file: string): boolean => {
    path.push(file)
    const closes = local(file).some((next) => {
      if (next === start) return true
      if (visited.has(next)) return false
      visited.add(next)
      return visit(next)
    })
    if (!closes) path.pop()
    return closes
  }
  return visit(start) ? [path.join(' → ')] : []
}

function local(file: string): string[] {
  return (imports.get(file) ?? []).flatMap((name) => {
    if (name.startsWith('.')) return [posix.join(posix.dirname(file), name)]
    if (name.startsWith('#db/')) return databaseRooms.map((room) => `${room}${name.slice(4)}.ts`)
    if (name.startsWith('#words/')) return [`web/contract/words/en/${name.slice(7)}.ts`]
    return name.startsWith('#frontend/') ? serverEntries : []
  })
}

function packages(file: string): string[] {
  const names = (imports.get(file) ?? []).filter((name) => !/^[.#]|^node:/.test(name))
  const short = names.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  return [...new Set(short)].filter((name) => !builtinModules.includes(name))
}

function importsOf(file: string): string[] {
  const found = source(file).matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, name = '']) => name)
}

function source(file: string): string {
  return readFileSync(join(import.meta.dirname, '..', file), 'utf8')
}

function toPosix(file: string): string {
  return file.replaceAll('\\', '/')
}

/** Tests and their helpers may import everything. */
function isOurs(file: string): boolean {
  return !file.endsWith('.test.ts') && !file.startsWith('internal/testing/')
}

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appName } from '../../web/contract/name.ts'
import { nameFindings } from './name-places.ts'

test('image, unit, filter, README and lockfile have the name of package.json (npm run fix writes it there)', () => {
  expect(nameFindings(appName)).toEqual([])
})

// In the names of cookies, tokens, files, titles, mails and commands, but not in comments.
const spelled =
  /^(?! *(?:\*|\/)).*(?:\bapp_(?:session|browser|language)|\^app_|'app_'|\bapp-recovery|· app\b|(?:for|your) app['`]|['`^]app: |`app [a-z]|Usage: app\b)/

test.skipIf(appName !== 'app')('no test spells the name of the project, which may change', () => {
  const tests = globSync('{cmd,internal,web}/**/*.test.ts', { exclude: ['**/node_modules'] })
  expect(tests.flatMap((file) => linesWith(file, spelled))).toEqual([])
})

const inComment = /^ *(?:\*|\/).*(?:\bapp_(?:session|browser|language|form)|dist\/app\b)/

test.skipIf(appName !== 'app')('no comment spells the name of the project', () => {
  const files = globSync(['build.ts', '{cmd,internal,web}/**/*.{ts,tsx,vue,svelte,css}'])
  expect(files.flatMap((file) => linesWith(file, inComment))).toEqual([])
})

function linesWith(file: string, spelled: RegExp): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => spelled.test(line))
    .map((line) => `${file}: ${line.trim()}`)
}

test('the image listens on all addresses and stores the database and photos on its volume', () => {
  const text = readFileSync('Dockerfile', 'utf8')
  expect(text).toMatch(
    /^ENV .*\bHOST=0\.0\.0\.0 DB_PATH=\/data\/\w+\.db FILES_PATH=\/data\/files$/m,
  )
  expect(text).toMatch(/^VOLUME \/data$/m)
})

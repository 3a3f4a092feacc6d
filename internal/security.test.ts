import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrationsFolder } from '#db/migrations'
import { settings, type SettingName } from './base/settings/settings.ts'

const text = readFileSync('.github/SECURITY.md', 'utf8')

function inCode(words: readonly string[]): string[] {
  return words.filter((word) => !text.includes(`\`${word}\``))
}

/** Returns what a pattern captures, wherever it matches in a file. */
function found(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, word = '']) => word)
}

test('SECURITY.md names every table of the database', () => {
  const tables = globSync(`${migrationsFolder}/*.sql`).flatMap((file) =>
    found(file, /^CREATE TABLE (\w+)/gm),
  )
  expect(tables.length).toBeGreaterThan(10)
  expect(
    inCode(tables),
    'Say in .github/SECURITY.md what each of these tables keeps and how long, with its name in backticks.',
  ).toEqual([])
})

test('SECURITY.md names every purpose that a key is derived for', () => {
  const purposes = found('internal/base/crypto/keys.ts', /^ {2}\| '([^']+)'$/gm)
  expect(purposes.length).toBeGreaterThan(5)
  expect(
    inCode(purposes),
    'Say in .github/SECURITY.md what the key of each of these is for, with its purpose in backticks.',
  ).toEqual([])
})

test('SECURITY.md names every log message about a refusal', () => {
  const lines = found('internal/http/log/log-failure.ts', /c\.log\.\w+\('([^']+)'/g)
  expect(lines).toHaveLength(4)
  expect(
    inCode(lines),
    'Name each of these messages in .github/SECURITY.md, in backticks.',
  ).toEqual([])
})

test('SECURITY.md names each setting that is a key', () => {
  const keys: readonly SettingName[] = ['APP_KEY', 'APP_PREVIOUS_KEYS', 'AWS_SECRET_ACCESS_KEY']
  expect(keys.every((name) => name in settings)).toBe(true)
  expect(inCode(keys)).toEqual([])
})

test('SECURITY.md counts each ASVS requirement once, and explains those that are not met', () => {
  const rows = [
    ...text.matchAll(/^\| V\d+ [^|]+\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm),
  ]
  const cells = rows.map((row) => row.slice(1).map((cell) => cell.trim()))
  const listed = (column: number) =>
    cells.flatMap((row) => (row[column] ?? '').split(', ').filter((cell) => cell !== ''))
  const sum = (column: number) => listed(column).reduce((total, count) => total + Number(count), 0)
  const counts = [sum(0), ...[1, 2, 3].map((column) => listed(column).length), sum(4)]
  const stated = /of (\d+) requirements (\d+) .* (\d+) are not, (\d+) .*\n(\d+) .* (\d+) ask/.exec(
    text,
  )
  const [, total, ...each] = (stated ?? []).map(Number)
  expect(rows).toHaveLength(17)
  expect(each).toEqual(counts)
  expect(counts.reduce((one, other) => one + other)).toBe(total)
  const explained = [...listed(1), ...listed(2), ...listed(3)].filter(
    (number) => text.split(new RegExp(`\\b${number.replaceAll('.', '\\.')}\\b`)).length < 3,
  )
  expect(explained).toEqual([])
})

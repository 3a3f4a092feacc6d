import { expect, test } from 'vitest'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { pathOf, paths } from '../../../web/contract/paths.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'
import { kinds, pathTo } from './notification-kinds.ts'
import { lineOf } from './line.ts'

/** Returns the English line of a new login. */
function newLogin(browser: string | null, system: string | null): string {
  return line('new-login', { browser, system, address: '192.0.2.1' })
}

/** Returns a line in English. */
function line(kind: string, data: unknown): string {
  return lineOf({ kind, data: JSON.stringify(data) }, serverWords.en.lines)
}

test('the kinds of notification are those of the contract', () => {
  expect(Object.keys(kinds), 'One of your own goes into this list too.').toEqual([
    'password-changed',
    'password-set',
    'password-removed',
    'email-changed',
    'two-factor-disabled',
    'passkey-added',
    'token-created',
    'new-login',
  ])
})

test('each notification kind links to a section that exists on its page', async () => {
  const browser = await verifiedBrowser(await testApp())
  // A path made from the data exists only in a test that has made that data.
  const named = Object.entries(kinds).flatMap(([kind, { page, section }]) =>
    typeof page === 'function' ? [] : { kind, path: paths[page], section },
  )
  const leads = await Promise.all(
    named.map(async ({ kind, path, section }) => ({
      lead: `${kind} leads to ${path}#${section}`,
      isThere: (await browser.document(path)).body.includes(` id="${section}"`),
    })),
  )
  expect(
    leads.filter(({ isThere }) => !isThere).map(({ lead }) => lead),
    'Nothing on that page has this ID: give it to a panel there, or name another section.',
  ).toEqual([])
})

test('a notification page whose path has fields takes them from the data', () => {
  const place = {
    page: (data: { id: number }) => pathOf(paths['logins.destroy'], data),
    section: 'details',
  }
  expect(pathTo(place, { id: 7 })).toBe('/settings/logins/7#details')
})

test('the line of a new login names browser and system as far as they are known', () => {
  expect(newLogin('Firefox', 'Linux')).toBe('A new login, from Firefox on Linux')
  expect(newLogin(null, 'Linux')).toBe('A new login, from a browser on Linux')
  expect(newLogin('Firefox', null)).toBe('A new login, from Firefox')
  expect(newLogin(null, null)).toBe('A new login, from a browser')
})

test('the line of a password change mentions removed passkeys and tokens, in each language', () => {
  const removed = { kind: 'password-changed', data: '{"keys":"removed"}' }
  const set = { kind: 'password-set', data: '{"keys":"removed"}' }
  expect(
    Object.values(serverWords).flatMap(({ lines }) =>
      [removed, set].map((one) => lineOf(one, lines)),
    ),
    'The lines of a language of your own go into this list too.',
  ).toEqual([
    'Your password was changed, and your passkeys and API tokens were removed',
    'A password was set for your account, and your passkeys and API tokens were removed',
    'Ihr Passwort wurde geändert, Ihre Passkeys und API-Tokens wurden entfernt',
    'Für Ihr Konto wurde ein Passwort festgelegt, Ihre Passkeys und API-Tokens wurden entfernt',
  ])
})

test('a password change stored by an earlier version has its line, one of a later version the general line', () => {
  expect(
    ['{}', '{"keys":"kept"}'].map((data) => line('password-changed', JSON.parse(data))),
  ).toEqual(['Your password was changed', 'Your password was changed'])
  expect(line('password-changed', { keys: 'sold' })).toMatch(/^Something in your account changed/)
})

test('a notification whose kind or data this version does not know has the general line', () => {
  const own = line('horse-shod', {})
  expect(own).toMatch(/^Something in your account changed/)
  expect([
    line('new-login', {}),
    line('new-login', { browser: 1, system: null, address: '' }),
    line('new-login', { browser: null, system: null, address: '', by: 'magic' }),
    line('email-changed', null),
    line('email-changed', ['a@x.test']),
    line('toString', {}),
    line('__proto__', {}),
  ]).toEqual([own, own, own, own, own, own, own])
})

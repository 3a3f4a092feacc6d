import { expect, test } from 'vitest'
import { serverWords } from '../../web/contract/words/server-words.ts'
import { examplePages } from '../../web/contract/examples/examples.ts'
import { linkIn } from '../testing/mails.ts'
import { ann, registration } from '../testing/people.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { codeAt, wrongCodeAt } from '../testing/totp.ts'
import { twoFactorOf } from '../testing/two-factor.ts'
import { wordsOf } from '../testing/formats/words.ts'
import type { Visit } from '../testing/browser.ts'

type Fields = Readonly<Record<string, string>>

const english = await sentences()

/** Returns a German browser without JavaScript, and the documents it received. */
function germanBrowser(app: TestApp) {
  const browser = app.browser()
  const visits: Visit[] = []
  const open = async (path: string, fields?: Fields) => {
    const visit = await browser.document(path, fields, { headers: { 'Accept-Language': 'de' } })
    visits.push(visit)
    return visit
  }
  return { open, visits }
}

test('a German browser gets no English in the pages, errors, messages and mails of an account', async () => {
  const app = await testApp({ workers: true, config: { links: { terms: 'https://x.test/t' } } })
  const { open, visits } = germanBrowser(app)
  for (const path of ['/', '/login', '/register', '/nothing-here']) await open(path)
  await open('/register', { ...registration(ann), password: 'short' })
  await open('/register', registration(ann))
  await open('/settings/profile')
  await open('/dashboard')
  await open(linkIn(await app.outbox.next()))
  await open('/logout', {})
  await open('/login')
  await open('/login', { email: ann.email, password: 'wrong' })
  await resetPassword(app, open)
  await open('/dashboard')
  await open('/settings/profile', { _method: 'PATCH', name: '', email: 'no email' })
  await open('/settings/profile', { _method: 'PATCH', name: 'Ann', email: ann.email })
  await open('/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' })
  await app.outbox.next()
  await open('/settings/tokens', { name: 'CI' })
  await open('/settings/appearance')
  await turnOnTwoFactor(app, open)
  await open('/notifications')
  expect(visits.filter(({ body }) => !body.startsWith('<!doctype html><html lang="de"'))).toEqual(
    [],
  )
  expect(visits.flatMap(({ url, body }) => foundIn(url, body))).toEqual([])
  expect(
    app.outbox.mails.flatMap(({ subject, text, html }) =>
      foundIn(subject, `${subject} ${text} ${html}`),
    ),
  ).toEqual([])
  const pages = new Set(examplePages('de').map(([, { component }]) => component))
  const opened = new Set(visits.map(({ component }) => component))
  expect(
    [...pages.difference(opened)],
    'Each page is to be read in German: open yours above.',
  ).toEqual(['Auth/ConfirmPassword', 'Auth/RegisterPasskey'])
})

test('a form that cannot be read gets a German error page in a German browser', async () => {
  const browser = (await testApp()).browser()
  const headers = { 'Accept-Language': 'de' }
  const visit = await browser.send('POST', '/login', { headers, type: 'text/plain', body: 'x' })
  expect(visit.page.props['message']).toBe(serverWords.de.errorPages.other.text)
})

type Open = ReturnType<typeof germanBrowser>['open']

async function resetPassword(app: TestApp, open: Open): Promise<void> {
  await open('/forgot-password')
  await open('/forgot-password', { email: ann.email })
  const link = linkIn(await app.outbox.next())
  const { props } = (await open(link)).page
  const fields = { token: String(props['token']), email: ann.email }
  await open('/reset-password', { ...fields, password: 'new words', password_confirmation: '' })
  const password = { password: 'new words', password_confirmation: 'new words' }
  await open('/reset-password', { ...fields, ...password })
  await app.outbox.next()
  await open(link)
}

async function turnOnTwoFactor(app: TestApp, open: Open): Promise<void> {
  await open('/settings/security')
  const setup = twoFactorOf(await open('/settings/two-factor', {})).setup
  if (!setup) throw new Error('Nothing is being set up.')
  await open('/settings/two-factor/confirm', { code: wrongCodeAt(setup.secret, app.now()) })
  await open('/settings/two-factor/confirm', { code: codeAt(setup.secret, app.now()) })
  await open('/settings/security')
  await open('/logout', {})
  await open('/login', { email: ann.email, password: 'new words' })
  await app.pass({ seconds: 30 })
  await open('/two-factor-challenge', { recovery_code: 'none of them' })
  await open('/two-factor-challenge', { code: codeAt(setup.secret, app.now()) })
}

/** Returns the English sentences of three words or more that German does not share. */
async function sentences(): Promise<readonly string[]> {
  const [words, others] = [await wordsOf('en'), await wordsOf('de')]
  const german = new Set(others.flatMap(({ says }) => says.split('\n')))
  const texts = new Set(words.flatMap(({ says }) => says.split('\n')))
  return [...texts.difference(german)].filter((text) => /\w+\W+\w+\W+\w{2}/.test(text))
}

/** Finds the English sentences in a text, each with its place. */
function foundIn(where: string, text: string): string[] {
  const plain = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return english.filter((sentence) => plain.includes(sentence)).map((found) => `${where}: ${found}`)
}

import { expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { judgeMessage } from '../../base/mail.ts'
import { noticeMails as words } from '../../../web/contract/words/notice-mails.ts'
import { noticeMail, registrationMail, resetMail, setPasswordMail, verifyMail } from './mails.ts'

const link = 'https://x.test/reset-password/1a.b-c?email=ann%40x.test&x=1'
const to = { name: 'Ann', link }
const resetLink = 'https://x.test/forgot-password'
const at = new Date('2026-01-05T23:04:59Z')
const withReset = { ...to, resetLink, at }
const newLogin = { browser: 'Firefox', system: 'Linux', address: '2001:db8::1' }
const notices = [
  noticeMail(words['password-changed']({}), withReset),
  noticeMail(words['password-set']({}), withReset),
  noticeMail(words['password-removed']({}), withReset),
  noticeMail(words['email-changed']({ email: 'new@x.test' }), withReset),
  noticeMail(words['two-factor-disabled']({}), withReset),
  noticeMail(words['passkey-added']({ name: 'Key <1>' }), withReset),
  noticeMail(words['token-created']({ name: 'CI' }), withReset),
  noticeMail(words['new-login'](newLogin), withReset),
]
const mails = [verifyMail(to), resetMail(to), setPasswordMail(to), registrationMail(to), ...notices]

test('each mail has its subject', () => {
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Verify your email for ${appName}`,
    `Reset your password for ${appName}`,
    `Set a password for ${appName}`,
    `Finish making your ${appName} account`,
    'Your password was changed',
    'A password was set for your account',
    'Your password was removed',
    'The email of your account was changed',
    'Two-factor login was turned off',
    'A passkey was added to your account',
    'An API token was made for your account',
    'A new login to your account',
  ])
})

test('each notice tells when it was, in UTC, and what there is to know of it', () => {
  const when = 'When: 5 January 2026 at 23:04 UTC\n'
  expect(notices.filter(({ text }) => !text.includes(`\n${when}\n`))).toEqual([])
  expect(notices.at(3)?.text).toContain(`\nNew email: new@x.test\n${when}`)
  expect(notices.at(5)?.text).toContain(`\nPasskey: Key <1>\n${when}`)
  expect(notices.at(6)?.text).toContain(`\nToken: CI\n${when}`)
  expect(notices.at(7)?.text).toContain(`\nFrom: Firefox on Linux\nAddress: 2001:db8::1\n${when}`)
  expect(notices.at(5)?.html).toContain('>Key &lt;1&gt;</td>')
})

test('each notice leads to where a new password is asked for, but that of an email which is another one now', () => {
  const without = notices.filter(({ text }) => !text.includes(`:\n${resetLink}\n`))
  const { subject } = words['email-changed']({ email: '' })
  expect(without.map((mail) => mail.subject)).toEqual([subject])
  expect(notices.filter(({ html = '' }) => html.includes(`href="${resetLink}"`))).toHaveLength(7)
})

test('each mail has a greeting, its link and what to do if it was not you, as text', () => {
  const texts = mails.map(({ text }) => text)
  expect(texts.filter((text) => !text.startsWith('Hello Ann,\n'))).toEqual([])
  expect(texts.filter((text) => !text.includes(`:\n${link}\n`))).toEqual([])
  expect(texts.filter((text) => !text.includes('If it was not you'))).toEqual([])
})

test('each mail has the same as HTML, with the link as a button and as text', () => {
  const htmls = mails.map(({ html = '' }) => html)
  const href = link.replace('&', '&amp;')
  expect(htmls.filter((html) => !html.includes('>Hello Ann,<'))).toEqual([])
  expect(htmls.filter((html) => html.split(`href="${href}"`).length !== 3)).toEqual([])
  expect(htmls.filter((html) => !html.includes(`>${href}</a>`))).toEqual([])
  expect(htmls.filter((html) => !html.includes('If it was not you'))).toEqual([])
})

test('the HTML brings nothing in from elsewhere', () => {
  const found = mails.flatMap(({ html = '' }) => html.match(/src=|url\(|@import|<link|<script/gi))
  expect(found.filter((match) => match !== null)).toEqual([])
})

test('a name that a person typed is escaped', () => {
  const { html, text } = verifyMail({ ...to, name: `<img src=x onerror="a('b')"> & Co` })
  expect(html).toContain('Hello &lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; Co,')
  expect(html).not.toContain('<img')
  expect(text).toContain(`Hello <img src=x onerror="a('b')"> & Co,`)
})

test('a name that a mail program would make a link of is left out', () => {
  const names = ['You won: https://evil.test/', 'Claim it at evil.test now', 'www.evil.test', '  ']
  const greetings = names.map((name) => verifyMail({ ...to, name }).text.split('\n')[0])
  expect(greetings).toEqual(names.map(() => 'Hello,'))
  expect(verifyMail({ ...to, name: 'Dr. J.R. Ng-Ünal' }).text).toMatch(
    /^Hello Dr\. J\.R\. Ng-Ünal,/,
  )
})

test('each mail can be sent as it is', () => {
  const judged = mails.map((mail) => judgeMessage({ ...mail, to: [{ address: 'ann@x.test' }] }))
  expect(judged).toEqual(mails.map(() => undefined))
})

import { expect, test } from 'vitest'
import { brandName } from '../../../web/brand/brand.ts'
import { colours } from '../../../web/brand/colours.ts'
import { judgeMessage } from '../../base/mail.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import { noticeMails as words } from '#words/mails/notice-mails'
import { layOut } from './layout.ts'
import { noticeMail, registrationMail, resetMail, setPasswordMail, verifyMail } from './mails.ts'
import type { Message } from '../../base/mail.ts'

const link = 'https://x.test/reset-password/1a.b-c?email=ann%40x.test&x=1'
const address = 'ann@x.test'
const links = {}
const language = 'en' as const
const to = { to: { address, name: 'Ann' }, link, links, language }
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
const unproven = { address, link, links, language }
const toAnn = [resetMail(to), setPasswordMail(to), ...notices]
const toAnyone = [verifyMail(unproven), registrationMail(unproven)]
const mails = [...toAnyone, ...toAnn]

function greetings(sent: readonly Message[]) {
  return sent.map(({ text }) => text.split('\n')[0])
}

test('each mail has its subject', () => {
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Verify your email for ${brandName}`,
    `Finish making your ${brandName} account`,
    `Reset your password for ${brandName}`,
    `Set a password for ${brandName}`,
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

test('each notice states its time in UTC and the details of its change', () => {
  const when = 'When: 5 January 2026 at 23:04 UTC\n'
  expect(notices.filter(({ text }) => !text.includes(`\n${when}\n`))).toEqual([])
  expect(notices.at(3)?.text).toContain(`\nNew email: new@x.test\n${when}`)
  expect(notices.at(5)?.text).toContain(`\nPasskey: Key <1>\n${when}`)
  expect(notices.at(6)?.text).toContain(`\nToken: CI\n${when}`)
  expect(notices.at(7)?.text).toContain(`\nFrom: Firefox on Linux\nAddress: 2001:db8::1\n${when}`)
  expect(notices.at(5)?.html).toContain('>Key &lt;1&gt;</td>')
})

test('each notice links to the password reset, except the one about a changed email', () => {
  const without = notices.filter(({ text }) => !text.includes(`:\n${resetLink}\n`))
  const { subject } = words['email-changed']({ email: '' })
  expect(without.map((mail) => mail.subject)).toEqual([subject])
  expect(notices.filter(({ html = '' }) => html.includes(`href="${resetLink}"`))).toHaveLength(7)
})

test('the text of each mail has a greeting, its link and what to do if it was not the user', () => {
  const texts = mails.map(({ text }) => text)
  expect(texts.filter((text) => !/^Hello( Ann)?,\n/.test(text))).toEqual([])
  expect(texts.filter((text) => !text.includes(`:\n${link}\n`))).toEqual([])
  expect(texts.filter((text) => !text.includes('If it was not you'))).toEqual([])
})

test('the HTML of each mail says the same as its text, with the link as a button and as text', () => {
  const htmls = mails.map(({ html = '' }) => html)
  const href = link.replace('&', '&amp;')
  expect(htmls.filter((html) => !/>Hello( Ann)?,</.test(html))).toEqual([])
  const abouts = mails.map(({ text }) => escapeHtml(text.split('\n\n')[1] ?? ''))
  expect(abouts.filter((about, at) => !htmls[at]?.includes(`>${about}</p>`))).toEqual([])
  expect(htmls.filter((html) => html.split(`href="${href}"`).length !== 3)).toEqual([])
  expect(htmls.filter((html) => !html.includes(`>${href}</a>`))).toEqual([])
  expect(htmls.filter((html) => !html.includes('If it was not you'))).toEqual([])
})

test('a mail that needs no warning leaves it out, and draws its rule above the next section', () => {
  const shared = { subject: 'A note was shared', about: ['Bob shared a note.'], action: 'Read it' }
  const support = { text: 'help@x.test', href: 'mailto:help@x.test' }
  const { text, html } = layOut(shared, to)
  const helped = layOut(shared, { ...to, links: { support } })
  expect(text).toBe(`Hello Ann,\n\nBob shared a note.\n\nRead it:\n${link}\n\n-- \n${brandName}\n`)
  expect(html).not.toMatch(/undefined|border-top|<p[^>]*><\/p>/)
  expect(helped.html).toMatch(/border-top[^>]*>Questions\?/)
  expect(helped.html?.match(/border-top/g)).toHaveLength(1)
})

test('the HTML of a mail loads nothing from elsewhere', () => {
  const found = mails.flatMap(({ html = '' }) => html.match(/src=|url\(|@import|<link|<script/gi))
  expect(found.filter((match) => match !== null)).toEqual([])
})

test('a mail shows the links to support, terms and privacy that are set, and only those', () => {
  const terms = 'https://x.test/terms?a=1&b=2'
  const privacy = 'https://x.test/privacy'
  const support = { text: 'help@x.test', href: 'mailto:help@x.test' }
  const page = { text: 'https://x.test/help', href: 'https://x.test/help' }
  const { text, html } = verifyMail({
    ...unproven,
    language: 'en',
    links: { support, terms, privacy },
  })
  const other = verifyMail({ ...unproven, language: 'en', links: { support: page, privacy } })
  expect(text).toMatch(
    `\n\nQuestions? Write to help@x.test.\n\n-- \n${brandName}\nTerms: ${terms}\nPrivacy policy: ${privacy}\n`,
  )
  expect(html).toMatch(
    /Questions\? Write to <a href="mailto:help@x\.test"[^>]*>help@x\.test<\/a>\./,
  )
  expect(html).toMatch(/<a href="https:\/\/x\.test\/terms\?a=1&amp;b=2"[^>]*>Terms<\/a>/)
  expect(other.text).toContain('\n\nQuestions? Find help at https://x.test/help\n\n')
  expect(other.html).toMatch(/Find help at <a href="https:\/\/x\.test\/help"[^>]*>https:/)
  expect([other.text, other.html].filter((part) => part?.includes('Terms'))).toEqual([])
  expect(mails.filter(({ text }) => /Questions|Terms|Privacy/.test(text))).toEqual([])
})

test('in the HTML of a mail only a URL breaks at any letter, and no word or address', () => {
  const support = { text: 'help@x.test', href: 'mailto:help@x.test' }
  const { html = '' } = verifyMail({
    ...unproven,
    links: { support, terms: 'https://x.test/terms', privacy: 'https://x.test/privacy' },
  })
  const texts = [...html.matchAll(/<a [^>]*style="([^"]*)"[^>]*>([^<]*)</g)]
  const broken = texts.filter(([, style]) => style?.includes('break-all')).map(([, , text]) => text)
  expect(texts.map(([, , text]) => text)).toContain('help@x.test')
  expect(broken).toEqual([link.replace('&', '&amp;')])
})

test('label and value of a fact stay apart where the styles of a mail are taken out', () => {
  const { html = '' } = noticeMail(words['new-login'](newLogin), withReset)
  const plain = html.replaceAll(/<[^>]+>/g, '').replaceAll('&nbsp;', ' ')
  expect(plain).toContain('From Firefox on Linux')
  expect(plain).toContain('When 5 January 2026')
})

test('elements of a mail with their own colours set text and background in both appearances', () => {
  const html = verifyMail(unproven).html ?? ''
  const [, ...own] = html.split('style="').map((rest) => rest.slice(0, rest.indexOf('"')))
  const grounded = own.filter((style) => style.includes('background:'))
  const [light, dark] = [0, 1].map((at) => [colours.accent[at], colours.onAccent[at]])
  expect(grounded.filter((style) => !style.includes(`background: ${light?.[0]}`))).toEqual([])
  expect(own.filter((style) => /(?<!-)color: #/.test(style) && !grounded.includes(style))).toEqual(
    [],
  )
  expect(html).toContain(
    `.brand { background: ${dark?.[0]} !important; color: ${dark?.[1]} !important; }`,
  )
  expect(html.match(/class="brand"/g)).toHaveLength(3)
})

test('a name that a user typed is escaped in the HTML', () => {
  const name = `<img src=x onerror="a('b')"> & Co`
  const { html, text } = resetMail({ to: { address, name }, link, links, language })
  expect(html).toContain('Hello &lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; Co,')
  expect(html).not.toContain('<img')
  expect(text).toContain(`Hello <img src=x onerror="a('b')"> & Co,`)
})

test('a right-to-left name is isolated in the HTML, and the text has no direction marks', () => {
  const name = 'שרה (כהן)'
  const sarah = { ...withReset, to: { address, name } }
  const { html, text } = noticeMail(words['token-created']({ name: 'מחשב!' }), sarah)
  expect(html).toContain(`>Hello \u2068${name}\u2069,</p>`)
  expect(html).toContain('>\u2068מחשב!\u2069</td>')
  expect(text).not.toMatch(/[\u2066-\u2069]/)
})

test('a name that a mail program would turn into a link is left out, even from the recipient', () => {
  const names = ['You won: https://evil.test/', 'Win at t.co/free', 'www.evil.test', '  ']
  const sent = names.map((name) => resetMail({ to: { address, name }, link, links, language }))
  expect(greetings(sent)).toEqual(names.map(() => 'Hello,'))
  expect(sent.map((mail) => mail.to)).toEqual(names.map(() => [{ address }]))
})

test('only a recipient whose address is verified is greeted by name and sees what users typed', () => {
  const stranger = { ...withReset, to: { address } }
  const toStranger = [
    noticeMail(words['email-changed']({ email: 'win@evil.test' }), stranger),
    noticeMail(words['passkey-added']({ name: 'Win' }), stranger),
    noticeMail(words['token-created']({ name: 'Win' }), stranger),
  ]
  expect(greetings(toAnn)).toEqual(toAnn.map(() => 'Hello Ann,'))
  expect(toAnn.map((mail) => mail.to)).toEqual(toAnn.map(() => [to.to]))
  expect(greetings([...toAnyone, ...toStranger])).toEqual([1, 2, 3, 4, 5].map(() => 'Hello,'))
  expect([...toAnyone, ...toStranger].map((mail) => mail.to)).toEqual(
    [1, 2, 3, 4, 5].map(() => [{ address }]),
  )
  expect(toStranger.filter(({ text, html }) => /win/i.test(text + html))).toEqual([])
})

test('a passkey or token name that reads as a link is left out of its notice, and a new email is not', () => {
  const name = 'Win at t.co/free'
  const notices = [
    noticeMail(words['passkey-added']({ name }), withReset),
    noticeMail(words['token-created']({ name }), withReset),
    noticeMail(words['email-changed']({ email: 'new@x.test' }), withReset),
  ]
  expect(notices.map(({ text, html }) => /t\.co/.test(text + html))).toEqual([false, false, false])
  expect(notices.at(2)?.text).toContain('New email: new@x.test\n')
})

test('each mail is a message that can be sent', () => {
  expect(mails.map((mail) => judgeMessage(mail))).toEqual(mails.map(() => undefined))
})

import { expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { judgeMessage } from '../../base/mail.ts'
import { resetMail, setPasswordMail, verifyMail } from './mails.ts'

const link = 'https://x.test/reset-password/1a.b-c?email=ann%40x.test&x=1'
const to = { name: 'Ann', link }
const mails = [verifyMail(to), resetMail(to), setPasswordMail(to)]

test('each mail has its subject', () => {
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Verify your email for ${appName}`,
    `Reset your password for ${appName}`,
    `Set a password for ${appName}`,
  ])
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
  expect(judged).toEqual([undefined, undefined, undefined])
})

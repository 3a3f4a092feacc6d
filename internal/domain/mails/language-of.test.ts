import { expect, test } from 'vitest'
import { brandName } from '../../../web/brand/brand.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { linkIn } from '../../testing/mails.ts'
import { ann, bob, registration } from '../../testing/people.ts'
import { testApp } from '../../testing/test-app.ts'

const inGerman = { headers: { 'Accept-Language': 'de' } }
const inEnglish = { headers: { 'Accept-Language': 'en' } }
const { verify, reset, registration: registered, notices } = serverWords.de.mails

test('the mails of a user who registered in German are German, even if another browser requests one', async () => {
  const app = await testApp({ workers: true })
  const browser = app.browser()
  await browser.document('/register', registration(ann), inGerman)
  const first = await app.outbox.next()
  await browser.document(linkIn(first), undefined, inGerman)
  await app.browser().document('/forgot-password', { email: ann.email }, inEnglish)
  const resetMail = await app.outbox.next()
  await app.browser().document('/login', { email: ann.email, password: ann.password }, inEnglish)
  const notice = await app.outbox.next()
  expect([first.subject, resetMail.subject]).toEqual([verify.subject, reset.subject])
  expect(resetMail.text).toMatch(/^Guten Tag Ann,\n\nfür Ihr Konto bei /)
  expect(
    [first, resetMail].filter(({ html }) => !html?.includes('<html lang="de" dir="ltr">')),
  ).toEqual([])
  expect(notice.subject).toBe(
    notices['new-login']({ browser: null, system: null, address: '' }).subject,
  )
})

test('a chosen language applies to later mails, whatever language the browser asks for', async () => {
  const app = await testApp({ workers: true })
  const browser = app.browser()
  await browser.document('/register', registration(ann), inEnglish)
  await app.outbox.next()
  await browser.document('/language', { _method: 'PUT', language: 'de' }, inEnglish)
  await app.browser().document('/forgot-password', { email: ann.email }, inEnglish)
  expect((await app.outbox.next()).subject).toBe(reset.subject)
})

test('the mail to an email without an account is in the language of the browser that requested it', async () => {
  const app = await testApp({ workers: true })
  const { name, email } = bob
  await app.browser().document('/register/passkey', { name, email }, inGerman)
  await app.browser().document('/register/passkey', { name, email: 'eve@x.test' }, inEnglish)
  const [german, english] = [await app.outbox.nextTo(email), await app.outbox.nextTo('eve@x.test')]
  expect(german.subject).toBe(registered.subject)
  expect(english.subject).toBe(`Finish making your ${brandName} account`)
})

import { brandName } from '../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { linkIn } from '../../testing/mails.ts'
import { addNewPasskey, newAuthenticator } from '../../testing/passkeys.ts'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

const name = 'Win at t.co/free'
const token = { name, abilities: 'user:read', expiry: '30' }

/** Returns the subjects of the mails so far that contain this text, or show it in the recipient's name. */
function having(app: TestApp, text: RegExp): string[] {
  const found = app.outbox.mails.filter((mail) =>
    text.test(mail.text + mail.html + mail.to[0]?.name),
  )
  return found.map(({ subject }) => subject)
}

test('a stranger who enters somebody else’s address cannot have their own text mailed there', async () => {
  const app = await testApp({ workers: true })
  const stranger = await registeredBrowser(app, { ...ann, name })
  await app.outbox.next()
  await stranger.post('/settings/tokens', token)
  await app.outbox.next()
  await app.pass({ minutes: 1 })
  await addNewPasskey(stranger, newAuthenticator(), { name })
  await app.outbox.next()
  await app.browser().post('/forgot-password', { email: ann.email })
  await app.outbox.next()
  await app.pass({ minutes: 1 })
  const profile = { _method: 'PATCH', name, email: 'win@evil.test' }
  await stranger.post('/settings/profile', profile)
  await app.outbox.nextTo(ann.email)
  await app.browser().post('/register/passkey', { name, email: bob.email })
  const registrationMail = await app.outbox.nextTo(bob.email)
  const sent = app.outbox.mails.filter((mail) => mail !== registrationMail)
  expect(sent.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'An API token was made for your account',
      'A passkey was added to your account',
      `Reset your password for ${brandName}`,
      'The email of your account was changed',
    ]),
  )
  expect(
    having(app, /t\.co|evil/).filter((subject) => subject !== registrationMail.subject),
  ).toEqual([])
  // Only within the link itself, which contains the name.
  expect(registrationMail.text.replaceAll(/http:\S+/g, '')).not.toMatch(/Win|t\.co/)
  expect(registrationMail.to).toEqual([{ address: bob.email }])
})

test('a user whose email is verified is greeted by name', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  const verify = await app.outbox.next()
  await browser.get(linkIn(verify))
  await app.browser().post('/forgot-password', { email: ann.email })
  const reset = await app.outbox.next()
  await logIn(app.browser(), ann)
  const notice = await app.outbox.next()
  const greetings = [verify, reset, notice].map(({ text }) => text.split('\n')[0])
  expect(greetings).toEqual(['Hello,', 'Hello Ann,', 'Hello Ann,'])
  expect([verify, reset, notice].map(({ to }) => to[0]?.name)).toEqual([undefined, 'Ann', 'Ann'])
})

test('after a verified email changes, the old address is greeted by name and the new one is not', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  await browser.get(linkIn(await app.outbox.next()))
  await app.pass({ minutes: 1 })
  await browser.post('/settings/profile', { _method: 'PATCH', name: 'Ann', email: bob.email })
  const old = await app.outbox.nextTo(ann.email)
  const other = await app.outbox.nextTo(bob.email)
  expect([old, other].map(({ text }) => text.split('\n')[0])).toEqual(['Hello Ann,', 'Hello,'])
})

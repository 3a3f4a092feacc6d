import { expect, test } from 'vitest'
import { randomBits } from '../testing/formats/random-bits.ts'
import { testApp } from '../testing/test-app.ts'
import { makeChallenge, takeChallenge } from './challenges.ts'

test('a challenge is accepted once, and returns the value stored with it', async () => {
  const app = await testApp()
  const challenge = await makeChallenge(app, 'passkey-login', 'a value')
  const first = await takeChallenge(app, 'passkey-login', challenge)
  const second = await takeChallenge(app, 'passkey-login', challenge)
  expect([first, second]).toEqual(['a value', undefined])
})

test('of twenty simultaneous uses of a challenge only one succeeds', async () => {
  const app = await testApp()
  const challenge = await makeChallenge(app, 'passkey-login', 'a value')
  const tries = Array.from({ length: 20 }, () => takeChallenge(app, 'passkey-login', challenge))
  const taken = (await Promise.all(tries)).filter((value) => value !== undefined)
  expect(taken).toEqual(['a value'])
})

test('a challenge expires after five minutes', async () => {
  const app = await testApp()
  const early = await makeChallenge(app, 'passkey-login', 'early')
  const late = await makeChallenge(app, 'passkey-login', 'late')
  await app.pass({ minutes: 4, seconds: 59.999 })
  const within = await takeChallenge(app, 'passkey-login', early)
  await app.pass({ seconds: 0.001 })
  expect([within, await takeChallenge(app, 'passkey-login', late)]).toEqual(['early', undefined])
})

test('a challenge is invalid for another purpose, and that does not use it up', async () => {
  const app = await testApp()
  const challenge = await makeChallenge(app, 'passkey-login', 'a value')
  const other = await takeChallenge(app, 'passkey-confirm', challenge)
  const own = await takeChallenge(app, 'passkey-login', challenge)
  expect([other, own]).toEqual([undefined, 'a value'])
})

test('each challenge is 32 random bytes, and has its own value', async () => {
  const app = await testApp()
  const ann = await makeChallenge(app, 'passkey-login', 'of ann')
  const bob = await makeChallenge(app, 'passkey-login', 'of bob')
  const more = Array.from({ length: 98 }, () => makeChallenge(app, 'passkey-login', 'of one more'))
  const challenges = [ann, bob, ...(await Promise.all(more))]
  expect(randomBits(challenges.map((text) => Buffer.from(text, 'base64url')))).toBe(256)
  expect(await takeChallenge(app, 'passkey-login', 'unknown')).toBe(undefined)
  expect(await takeChallenge(app, 'passkey-login', ann)).toBe('of ann')
  expect(await takeChallenge(app, 'passkey-login', bob)).toBe('of bob')
})

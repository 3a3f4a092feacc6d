import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Authenticator, cbor } from '../../testing/authenticator.ts'
import type { Algorithm, Item, Wrong } from '../../testing/authenticator.ts'
import { credentialIdOf } from './answer.ts'
import { checkAnswer } from './check-answer.ts'
import { checkCreation } from './check-creation.ts'
import type { CreatedPasskey } from './check-creation.ts'
import { creationOptions, requestOptions } from './options.ts'

const site = { rpId: 'app.test', origin: 'https://app.test' }
const challenge = randomBytes(32).toString('base64url')
const another = randomBytes(32).toString('base64url')
const handle = randomBytes(32)
const user = { handle, name: 'ann@x.test', displayName: 'Ann' }
const creation = creationOptions({ rpId: 'app.test', rpName: 'app', user, challenge, exclude: [] })
const request = requestOptions({ rpId: 'app.test', challenge })

test('a passkey of each supported algorithm logs in', async () => {
  const made = (['ES256', 'Ed25519', 'RS256'] as Algorithm[]).map((algorithm) => add({ algorithm }))
  const outcomes = (await Promise.all(made)).map(({ authenticator, passkey }) =>
    check(authenticator.get(request), passkey),
  )
  const used = { used: { signCount: 2, backedUp: false } }
  expect(await Promise.all(outcomes)).toEqual([used, used, used])
})

test('the credential ID is read only from a valid login answer', async () => {
  const { authenticator, passkey } = await add()
  expect(credentialIdOf(authenticator.get(request))).toEqual(passkey.credentialId)
  const short = authenticator.get(request, { credentialId: randomBytes(15) })
  const long = authenticator.get(request, { credentialId: randomBytes(1024) })
  const bad = [short, long, {}, undefined, null, 'text', { ...short, type: 'password' }]
  expect(bad.map(credentialIdOf)).toEqual(bad.map(() => undefined))
})

test('a login answer is refused when no valid challenge is stored', async () => {
  const { authenticator, passkey } = await add()
  const stored = ['', 'undefined', 'null', 'AAAA', `${challenge}A`, `${challenge}=`]
  const checks = stored.map((challenge) => {
    const answer = authenticator.get({ ...request, challenge })
    return checkAnswer(answer, { challenge, site, passkey, handle, listed: false })
  })
  const withNone = authenticator.get(request, { clientData: clientData({ challenge: null }) })
  checks.push(checkAnswer(withNone, { challenge: '', site, passkey, handle, listed: false }))
  expect(await Promise.all(checks)).toEqual(checks.map(() => ({ refused: 'challenge' })))
})

test('a login answer to another challenge is refused', async () => {
  expect(await used({ challenge: another })).toEqual({ refused: 'challenge' })
})

test('a creation answer logs nobody in', async () => {
  expect(await used({ type: 'webauthn.create' })).toEqual({ refused: 'ceremony' })
  const { authenticator, passkey } = await add()
  const created = authenticator.create(creation)
  expect(await check(created, passkey)).toEqual({ refused: 'malformed' })
})

test('a login answer from any other origin is refused', async () => {
  const others = ['https://evil.test', 'http://app.test', 'https://app.test/', 'https://a.app.test']
  const checks = others.map((origin) => used({ origin }))
  expect(await Promise.all(checks)).toEqual(others.map(() => ({ refused: 'origin' })))
})

test('a login answer from a page embedded in another site is refused', async () => {
  const refused = { refused: 'cross-origin' }
  expect(await used({ crossOrigin: true })).toEqual(refused)
  expect(await used({ topOrigin: 'https://evil.test' })).toEqual(refused)
  expect(await used({ crossOrigin: true, topOrigin: 'https://evil.test' })).toEqual(refused)
})

test('a passkey of another domain is refused', async () => {
  expect(await used({ rpId: 'evil.test' })).toEqual({ refused: 'domain' })
})

test('a login answer without user presence or verification is refused', async () => {
  expect(await used({ present: false })).toEqual({ refused: 'presence' })
  expect(await used({ verified: false })).toEqual({ refused: 'verification' })
})

test('a login answer of another passkey than the one looked up is refused', async () => {
  const { authenticator } = await add()
  const { passkey } = await add()
  expect(await check(authenticator.get(request), passkey)).toEqual({ refused: 'credential' })
})

test('a login answer that names another user or none is refused', async () => {
  const refused = { refused: 'handle' }
  expect(await used({ handle: randomBytes(32) })).toEqual(refused)
  expect(await used({ handle: handle.subarray(1) })).toEqual(refused)
  expect(await used({ handle: null })).toEqual(refused)
})

test('a listed passkey may answer without naming its user, but not with the name of another', async () => {
  const { authenticator, passkey } = await add()
  const options = requestOptions({ rpId: 'app.test', challenge, allow: [passkey] })
  const handles = [null, undefined, randomBytes(32)].map((handle) => ({ handle }))
  const [unnamed, named, misnamed] = handles.map((wrong) => authenticator.get(options, wrong))
  const expected = { challenge, site, passkey, handle, listed: true }
  expect(await checkAnswer(unnamed, expected)).toHaveProperty('used')
  expect(await checkAnswer(named, expected)).toHaveProperty('used')
  expect(await checkAnswer(misnamed, expected)).toEqual({ refused: 'handle' })
})

test('a signature that does not match the stored key is refused', async () => {
  const { authenticator, passkey } = await add()
  const { passkey: other } = await add()
  const swapped = { ...passkey, publicKey: other.publicKey }
  expect(await check(authenticator.get(request), swapped)).toEqual({ refused: 'signature' })
  expect(await used({ signature: flipped })).toEqual({ refused: 'signature' })
})

test('an ES256 signature in a non-canonical encoding is refused', async () => {
  const checks = [withMore, withLongLength, withoutLength].map((signature) => used({ signature }))
  expect(await Promise.all(checks)).toEqual(checks.map(() => ({ refused: 'signature' })))
})

test('a login answer changed after it was signed is refused', async () => {
  const { authenticator, passkey } = await add()
  const answer = authenticator.get(request)
  const data = Buffer.from(answer.response.authenticatorData, 'base64url')
  data.writeUInt32BE(99, 33)
  const counted = withFields(answer, { authenticatorData: data.toString('base64url') })
  const spaced = `${clientData({})} `
  const respaced = withFields(answer, { clientDataJSON: Buffer.from(spaced).toString('base64url') })
  expect(await check(counted, passkey)).toEqual({ refused: 'signature' })
  expect(await check(respaced, passkey)).toEqual({ refused: 'signature' })
})

test('a login answer is refused when the stored key is invalid', async () => {
  const { authenticator, passkey } = await add()
  const broken = { ...passkey, publicKey: passkey.publicKey.subarray(1) }
  expect(await check(authenticator.get(request), broken)).toEqual({ refused: 'key' })
})

test('the signature count must advance, so an answer of a copied passkey is refused', async () => {
  const { authenticator, passkey } = await add()
  const copy = authenticator.clone()
  const first = await check(authenticator.get(request), passkey)
  expect(first).toEqual({ used: { signCount: 2, backedUp: false } })
  const later = { ...passkey, signCount: 2 }
  expect(await check(copy.get(request), later)).toEqual({ refused: 'count' })
  expect(await check(authenticator.get(request), later)).toHaveProperty('used.signCount', 3)
  expect(await check(authenticator.get(request, { signCount: 1 }), later)).toEqual({
    refused: 'count',
  })
  expect(await check(authenticator.get(request, { signCount: 0 }), later)).toEqual({
    refused: 'count',
  })
})

test('a passkey that always counts 0 is accepted and may begin to count later', async () => {
  const { authenticator, passkey } = await add({ counts: false, backedUp: true })
  const used = { used: { signCount: 0, backedUp: true } }
  expect(await check(authenticator.get(request), passkey)).toEqual(used)
  expect(await check(authenticator.get(request), passkey)).toEqual(used)
  const begun = authenticator.get(request, { signCount: 4_294_967_295 })
  expect(await check(begun, passkey)).toHaveProperty('used.signCount', 4_294_967_295)
})

test('a passkey may become backed up, but its backup eligibility may not change', async () => {
  const { authenticator, passkey } = await add({ backupEligible: true })
  const synced = await check(authenticator.get(request, { backedUp: true }), passkey)
  expect(synced).toHaveProperty('used.backedUp', true)
  const lost = { backupEligible: false }
  expect(await check(authenticator.get(request, lost), passkey)).toEqual({ refused: 'backup' })
  expect(await used({ backupEligible: true })).toEqual({ refused: 'backup' })
  expect(await used({ backedUp: true })).toEqual({ refused: 'backup' })
})

test('extensions are ignored, and any other data after the count is refused', async () => {
  const extensions = cbor(new Map<Item, Item>([['uvm', [[2, 4, 2]]]]))
  expect(await used({ extensions })).toHaveProperty('used')
  expect(await used({ extensions, extended: false })).toEqual({ refused: 'malformed' })
  expect(await used({ extended: true })).toEqual({ refused: 'malformed' })
  expect(await used({ attested: true })).toEqual({ refused: 'malformed' })
  const more = Buffer.concat([extensions, extensions])
  expect(await used({ extensions: more })).toEqual({ refused: 'library' })
})

test('a malformed login answer is refused and does not throw', async () => {
  const { authenticator, passkey } = await add()
  const answer = authenticator.get(request)
  const { id, response } = answer
  // oxfmt-ignore
  const bad: readonly unknown[] = [
    undefined, null, false, 7, '', 'text', [], {}, [answer], JSON.stringify(answer),
    { ...answer, type: 'password' },
    { ...answer, id: undefined, rawId: undefined },
    { ...answer, id: `${id}=`, rawId: `${id}=` },
    { ...answer, rawId: randomBytes(32).toString('base64url') },
    { ...answer, response: undefined },
    withFields(answer, { clientDataJSON: undefined }),
    withFields(answer, { clientDataJSON: '{}' }),
    withFields(answer, { clientDataJSON: Buffer.from('{').toString('base64url') }),
    withFields(answer, { authenticatorData: undefined }),
    withFields(answer, { authenticatorData: `${response.authenticatorData}==` }),
    withFields(answer, { authenticatorData: response.authenticatorData.slice(0, 48) }),
    withFields(answer, { authenticatorData: `${response.authenticatorData}AAAA` }),
    withFields(answer, { authenticatorData: 'A'.repeat(65_537) }),
    withFields(answer, { signature: undefined }),
    withFields(answer, { signature: '' }),
    withFields(answer, { signature: 7 }),
    withFields(answer, { signature: `${response.signature}+` }),
    withFields(answer, { userHandle: '' }),
    withFields(answer, { userHandle: 7 }),
    withFields(answer, { userHandle: {} }),
    withFields(answer, { userHandle: `${response.userHandle}=` }),
    withFields(answer, { userHandle: handle }),
  ]
  const outcomes = await Promise.all(bad.map((answer) => check(answer, passkey)))
  expect(outcomes).toEqual(bad.map(() => ({ refused: 'malformed' })))
})

async function add(make: ConstructorParameters<typeof Authenticator>[0] = {}) {
  const authenticator = new Authenticator({ origin: site.origin, ...make })
  const outcome = await checkCreation(authenticator.create(creation), { challenge, site })
  return { authenticator, passkey: (outcome as { created: CreatedPasskey }).created }
}

function check(answer: unknown, passkey: CreatedPasskey) {
  return checkAnswer(answer, { challenge, site, passkey, handle, listed: false })
}

async function used(wrong: Wrong) {
  const { authenticator, passkey } = await add()
  return check(authenticator.get(request, wrong), passkey)
}

function flipped(signature: Buffer): Buffer {
  const last = signature.length - 1
  return Buffer.from(signature.with(last, (signature[last] ?? 0) ^ 1))
}

function withMore(signature: Buffer): Buffer {
  return Buffer.concat([signature, Buffer.alloc(1)])
}

function withLongLength(signature: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x30, 0x81]), signature.subarray(1)])
}

function withoutLength(signature: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x30, 0x80]), signature.subarray(2), Buffer.alloc(2)])
}

function withFields(answer: AuthenticationResponseJSON, fields: object) {
  return { ...answer, response: { ...answer.response, ...fields } }
}

function clientData(fields: object): string {
  const right = { type: 'webauthn.get', challenge, origin: site.origin, crossOrigin: false }
  return JSON.stringify({ ...right, ...fields })
}

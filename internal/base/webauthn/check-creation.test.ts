import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Authenticator, cbor, coseKey } from '../../testing/authenticator.ts'
import type { Algorithm, Item, Wrong } from '../../testing/authenticator.ts'
import { checkCreation } from './check-creation.ts'
import { creationOptions } from './options.ts'

const site = { rpId: 'app.test', origin: 'https://app.test' }
const challenge = randomBytes(32).toString('base64url')
const another = randomBytes(32).toString('base64url')
const user = { handle: randomBytes(32), name: 'ann@x.test', displayName: 'Ann' }
const options = creationOptions({ rpId: 'app.test', rpName: 'app', user, challenge, exclude: [] })
const aaguid = randomBytes(16)

test('a passkey of each supported algorithm is created', async () => {
  const [es256, ed25519, rs256] = await Promise.all(
    (['ES256', 'Ed25519', 'RS256'] as Algorithm[]).map((algorithm) => {
      const answer = new Authenticator({ algorithm, aaguid, origin: site.origin }).create(options)
      return checkCreation(answer, { challenge, site })
    }),
  )
  const made = {
    credentialId: expect.objectContaining({ length: 32 }),
    signCount: 1,
    aaguid,
    transports: ['internal', 'hybrid'],
    backupEligible: false,
    backedUp: false,
  }
  expect(es256).toEqual({ created: { ...made, ...keyOf(77) } })
  expect(ed25519).toEqual({ created: { ...made, ...keyOf(42) } })
  expect(rs256).toEqual({ created: { ...made, ...keyOf(272) } })
})

test('a created passkey records whether it may be backed up and whether it is', async () => {
  const make = { origin: site.origin, counts: false }
  const synced = new Authenticator({ ...make, backedUp: true }).create(options)
  const eligible = new Authenticator({ ...make, backupEligible: true }).create(options)
  expect(await checkCreation(synced, { challenge, site })).toMatchObject({
    created: { signCount: 0, backupEligible: true, backedUp: true },
  })
  expect(await checkCreation(eligible, { challenge, site })).toMatchObject({
    created: { backupEligible: true, backedUp: false },
  })
  expect(await created({ backedUp: true })).toEqual({ refused: 'backup' })
})

test('a creation answer is refused when no valid challenge is stored', async () => {
  const stored = ['', 'undefined', 'null', 'AAAA', `${challenge}A`, `${challenge}=`]
  const checks = stored.map((challenge) => {
    const answer = authenticator().create({ ...options, challenge })
    return checkCreation(answer, { challenge, site })
  })
  const withNone = authenticator().create(options, { clientData: clientData({ challenge: null }) })
  checks.push(checkCreation(withNone, { challenge: '', site }))
  expect(await Promise.all(checks)).toEqual(checks.map(() => ({ refused: 'challenge' })))
})

test('a creation answer to another challenge is refused', async () => {
  expect(await created({ challenge: another })).toEqual({ refused: 'challenge' })
  expect(await created({ challenge: '' })).toEqual({ refused: 'challenge' })
  const asArray = clientData({ challenge: [challenge] })
  expect(await created({ clientData: asArray })).toEqual({ refused: 'challenge' })
})

test('a login answer creates no passkey', async () => {
  expect(await created({ type: 'webauthn.get' })).toEqual({ refused: 'ceremony' })
  expect(await created({ clientData: clientData({ type: null }) })).toEqual({ refused: 'ceremony' })
})

test('a creation answer from any other origin is refused', async () => {
  const others = [
    'https://evil.test',
    'http://app.test',
    'https://app.test/',
    'https://app.test:444',
    'https://www.app.test',
    'https://app.test.evil.test',
    'https://APP.test',
    '',
  ]
  const checks = others.map((origin) => created({ origin }))
  expect(await Promise.all(checks)).toEqual(others.map(() => ({ refused: 'origin' })))
  const asArray = clientData({ origin: [site.origin] })
  expect(await created({ clientData: asArray })).toEqual({ refused: 'origin' })
})

test('a creation answer from a page embedded in another site is refused', async () => {
  const refused = { refused: 'cross-origin' }
  expect(await created({ crossOrigin: true })).toEqual(refused)
  expect(await created({ crossOrigin: 'false' })).toEqual(refused)
  expect(await created({ topOrigin: 'https://evil.test' })).toEqual(refused)
  expect(await created({ topOrigin: site.origin })).toEqual(refused)
  const untold = clientData({ crossOrigin: undefined })
  expect(await created({ clientData: untold })).toHaveProperty('created')
})

test('a passkey of another domain is refused', async () => {
  expect(await created({ rpId: 'evil.test' })).toEqual({ refused: 'domain' })
})

test('a creation answer without user presence or verification is refused', async () => {
  expect(await created({ present: false })).toEqual({ refused: 'presence' })
  expect(await created({ verified: false })).toEqual({ refused: 'verification' })
})

test('a passkey is created whatever its attestation', async () => {
  const certificate = new Map<Item, Item>([['x5c', [Buffer.from('no certificate')]]])
  const formats = ['packed', 'tpm', 'apple', 'fido-u2f', 'android-safetynet', 'unheard of']
  const checks = formats.map((fmt) => created({ attestation: { fmt, attStmt: certificate } }))
  const outcomes = await Promise.all(checks)
  expect(outcomes.map((outcome) => Object.keys(outcome))).toEqual(formats.map(() => ['created']))
})

test('a credential ID must have 16 to 1,023 bytes', async () => {
  const [shortest, longest, ...others] = await Promise.all(
    [16, 1023, 15, 1024, 1500].map(createdWithId),
  )
  expect(shortest).toHaveProperty('created.credentialId.length', 16)
  expect(longest).toHaveProperty('created.credentialId.length', 1023)
  expect(others).toEqual(others.map(() => ({ refused: 'credential' })))
  // An empty ID is refused earlier, as an empty text.
  expect(await createdWithId(0)).toEqual({ refused: 'malformed' })
})

test('a creation answer with different credential IDs is refused', async () => {
  const answer = authenticator().create(options)
  const id = randomBytes(32).toString('base64url')
  const both = { ...answer, id, rawId: id }
  expect(await checkCreation(both, { challenge, site })).toEqual({ refused: 'credential' })
  const one = [
    { ...answer, id },
    { ...answer, rawId: id },
  ].map((answer) => checkCreation(answer, { challenge, site }))
  expect(await Promise.all(one)).toEqual([{ refused: 'malformed' }, { refused: 'malformed' }])
})

test('a creation answer with a weak or invalid key is refused', async () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const offCurve = coseKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
  offCurve.writeUInt8(offCurve.readUInt8(76) ^ 1, 76)
  const keys = [coseKey(weak), offCurve, Buffer.alloc(0), Buffer.from('no key')]
  const checks = keys.map((publicKey) => created({ publicKey }))
  expect(await Promise.all(checks)).toEqual(keys.map(() => ({ refused: 'key' })))
})

test('extensions are ignored, and any other data after the key is refused', async () => {
  const extensions = cbor(new Map<Item, Item>([['credProtect', 2]]))
  expect(await created({ extensions })).toHaveProperty('created.publicKey.length', 77)
  expect(await created({ extensions, extended: false })).toEqual({ refused: 'malformed' })
  expect(await created({ extended: true })).toEqual({ refused: 'malformed' })
  expect(await created({ attested: false })).toEqual({ refused: 'malformed' })
  const more = Buffer.concat([extensions, extensions])
  expect(await created({ extensions: more })).toEqual({ refused: 'library' })
})

test('a malformed creation answer is refused and does not throw', async () => {
  const answer = authenticator().create(options)
  const { response } = answer
  const withFields = (fields: object) => ({ ...answer, response: { ...response, ...fields } })
  const nested = Buffer.concat([Buffer.alloc(40_000, 0x81), Buffer.from([0])])
  const huge = Buffer.from('a168617574684461746 15b7fffffffffffffff'.replaceAll(' ', ''), 'hex')
  // oxfmt-ignore
  const bad: readonly unknown[] = [
    undefined, null, true, 7, '', 'text', [], {}, [answer], JSON.stringify(answer), () => answer,
    { ...answer, type: 'password' },
    { ...answer, type: undefined },
    { ...answer, id: undefined, rawId: undefined },
    { ...answer, id: 7, rawId: 7 },
    { ...answer, id: [answer.id], rawId: [answer.id] },
    { ...answer, id: `${answer.id}=`, rawId: `${answer.id}=` },
    { ...answer, id: otherSpelling(answer.id), rawId: otherSpelling(answer.id) },
    { ...answer, id: 'A'.repeat(70_000), rawId: 'A'.repeat(70_000) },
    { ...answer, response: undefined },
    { ...answer, response: null },
    { ...answer, response: [] },
    { ...answer, response: 'text' },
    withFields({ clientDataJSON: undefined }),
    withFields({ clientDataJSON: '' }),
    withFields({ clientDataJSON: {} }),
    withFields({ clientDataJSON: `${response.clientDataJSON}!` }),
    withFields({ clientDataJSON: ` ${response.clientDataJSON}` }),
    withFields({ clientDataJSON: text('no JSON') }),
    withFields({ clientDataJSON: text('null') }),
    withFields({ clientDataJSON: text('[]') }),
    withFields({ clientDataJSON: text('"text"') }),
    withFields({ clientDataJSON: text(`\ufeff${clientData({})}`) }),
    withFields({ clientDataJSON: text(Buffer.from(clientData({ more: '\xff' }), 'latin1')) }),
    withFields({ attestationObject: undefined }),
    withFields({ attestationObject: 7 }),
    withFields({ attestationObject: '!' }),
    withFields({ attestationObject: text('no CBOR') }),
    withFields({ attestationObject: text(nested) }),
    withFields({ attestationObject: text(huge) }),
    withFields({ attestationObject: text(cbor(7)) }),
    withFields({ attestationObject: text(cbor([])) }),
    withFields({ attestationObject: text(cbor(new Map())) }),
    withFields({ attestationObject: text(cbor(new Map([['authData', 'text']]))) }),
    withFields({ attestationObject: text(cbor(new Map([['authData', randomBytes(36)]]))) }),
    withFields({ attestationObject: 'A'.repeat(65_537) }),
    withFields({ transports: 'internal' }),
    withFields({ transports: [7] }),
    withFields({ transports: [''] }),
    withFields({ transports: ['a'.repeat(33)] }),
    withFields({ transports: ['<script>'] }),
    withFields({ transports: Array.from({ length: 11 }, () => 'usb') }),
  ]
  const outcomes = await Promise.all(
    bad.map((answer) => checkCreation(answer, { challenge, site })),
  )
  expect(outcomes).toEqual(bad.map(() => ({ refused: 'malformed' })))
})

test('authenticator data that is cut short is refused', async () => {
  const answer = authenticator().create(options)
  const authData = Buffer.from(answer.response.authenticatorData, 'base64url')
  const cuts = Array.from({ length: authData.length }, (_, length) => authData.subarray(0, length))
  const checks = cuts.map((cut) => {
    const attestationObject = text(cbor(new Map<Item, Item>([['authData', cut]])))
    const response = { ...answer.response, attestationObject }
    return checkCreation({ ...answer, response }, { challenge, site })
  })
  const outcomes = await Promise.all(checks)
  expect(outcomes.slice(0, 87)).toEqual(cuts.slice(0, 87).map(() => ({ refused: 'malformed' })))
  expect(outcomes.slice(87)).toEqual(cuts.slice(87).map(() => ({ refused: 'key' })))
})

test('an unknown transport is stored, and a missing list of transports counts as empty', async () => {
  const answer = authenticator().create(options)
  const creations = [['usb', 'usb', 'by-pigeon'], [], undefined].map(async (transports) => {
    const response = { ...answer.response, transports }
    return checkCreation({ ...answer, response }, { challenge, site })
  })
  expect(await Promise.all(creations)).toMatchObject([
    { created: { transports: ['usb', 'by-pigeon'] } },
    { created: { transports: [] } },
    { created: { transports: [] } },
  ])
})

function keyOf(length: number) {
  return { publicKey: expect.objectContaining({ length }) }
}

function createdWithId(bytes: number) {
  return created({ credentialId: randomBytes(bytes) })
}

function authenticator(): Authenticator {
  return new Authenticator({ origin: site.origin })
}

function created(wrong: Wrong) {
  return checkCreation(authenticator().create(options, wrong), { challenge, site })
}

function clientData(fields: object): string {
  const right = { type: 'webauthn.create', challenge, origin: site.origin, crossOrigin: false }
  return JSON.stringify({ ...right, ...fields })
}

/** Returns another spelling of the same 32 bytes: the last letter has two unused bits. */
function otherSpelling(id: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return id.slice(0, -1) + (letters[letters.indexOf(id.at(-1) ?? '') + 1] ?? '')
}

function text(bytes: string | Buffer): string {
  return Buffer.from(bytes as Buffer).toString('base64url')
}

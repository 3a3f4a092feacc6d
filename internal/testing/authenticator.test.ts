import { createPublicKey, hash, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { Authenticator } from './authenticator.ts'

const challenge = Buffer.alloc(32, 7).toString('base64url')
const creation = {
  rp: { id: 'localhost', name: 'app' },
  user: { id: Buffer.alloc(32, 2).toString('base64url'), name: 'ann@x.test', displayName: 'Ann' },
  challenge,
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
}
const request = { rpId: 'localhost', challenge }

test('a login answer is signed with the key of the created passkey and carries the user handle', () => {
  const authenticator = new Authenticator()
  const { id, response } = authenticator.create(creation)
  const answer = authenticator.get(request)
  const { authenticatorData, clientDataJSON, signature, userHandle } = answer.response
  const der = bytes(response.publicKey ?? '')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const clientData = bytes(clientDataJSON)
  const signed = Buffer.concat([bytes(authenticatorData), hash('sha256', clientData, 'buffer')])
  expect(verify('sha256', signed, key, bytes(signature))).toBe(true)
  expect(JSON.parse(clientData.toString())).toEqual({
    type: 'webauthn.get',
    challenge,
    origin: 'http://localhost:3000',
    crossOrigin: false,
  })
  expect(answer).toMatchObject({ id, rawId: id, type: 'public-key' })
  expect(userHandle).toBe(creation.user.id)
})

test('an authenticator refuses an excluded passkey and unsupported key algorithms', () => {
  const authenticator = new Authenticator()
  const { id } = authenticator.create(creation)
  const excludeCredentials = [{ type: 'public-key', id }]
  const recreate = () => authenticator.create({ ...creation, excludeCredentials })
  const withoutAlgorithms = () => authenticator.create({ ...creation, pubKeyCredParams: [] })
  expect(recreate).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(withoutAlgorithms).toThrow(expect.objectContaining({ name: 'NotSupportedError' }))
})

test('an authenticator uses the newest passkey of the domain, or the one listed in the request', () => {
  const authenticator = new Authenticator()
  const first = authenticator.create(creation).id
  const second = authenticator.create(creation).id
  const listed = { ...request, allowCredentials: [{ type: 'public-key', id: first }] }
  expect(authenticator.get(request).id).toBe(second)
  expect(authenticator.get(listed).id).toBe(first)
  const elsewhere = () => authenticator.get({ ...request, rpId: 'evil.test' })
  const unknown = () => new Authenticator().get(listed)
  expect(elsewhere).toThrow(expect.objectContaining({ name: 'NotAllowedError' }))
  expect(unknown).toThrow(expect.objectContaining({ name: 'NotAllowedError' }))
})

test('a cloned authenticator has the same passkeys and a signature count of its own', () => {
  const authenticator = new Authenticator()
  authenticator.create(creation)
  const clone = authenticator.clone()
  const counts = [authenticator, authenticator, clone].map((one) => countOf(one))
  expect(counts).toEqual([2, 3, 2])
  expect(clone.get(request).id).toBe(authenticator.get(request).id)
})

function countOf(authenticator: Authenticator): number {
  return bytes(authenticator.get(request).response.authenticatorData).readUInt32BE(33)
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

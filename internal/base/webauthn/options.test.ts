import { expect, test } from 'vitest'
import { creationOptions, requestOptions } from './options.ts'

const challenge = Buffer.alloc(32, 7).toString('base64url')
const known = { credentialId: Buffer.alloc(16, 1), transports: ['internal'] }
const descriptor = { type: 'public-key', id: 'AQEBAQEBAQEBAQEBAQEBAQ', transports: ['internal'] }

test('creation options ask for a discoverable credential, user verification and a supported algorithm', () => {
  const user = { handle: Buffer.alloc(32, 2), name: 'ann@x.test', displayName: 'Ann' }
  const options = { rpId: 'app.test', rpName: 'app', user, challenge, exclude: [known] }
  expect(creationOptions(options)).toEqual({
    rp: { id: 'app.test', name: 'app' },
    user: {
      id: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI',
      name: 'ann@x.test',
      displayName: 'Ann',
    },
    challenge,
    pubKeyCredParams: [
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    timeout: 300_000,
    excludeCredentials: [descriptor],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  })
})

test('login options allow any passkey of the site, and confirmation options only those of the user', () => {
  const common = { rpId: 'app.test', challenge, timeout: 300_000, userVerification: 'required' }
  expect(requestOptions({ rpId: 'app.test', challenge })).toEqual({
    ...common,
    allowCredentials: [],
  })
  expect(requestOptions({ rpId: 'app.test', challenge, allow: [known] })).toEqual({
    ...common,
    allowCredentials: [descriptor],
  })
})

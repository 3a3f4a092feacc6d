import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sha256 } from '../crypto/random.ts'
import { readAuthenticatorData, readCredential } from './authenticator-data.ts'
import { checkAnswer } from './check-answer.ts'
import { checkCreation } from './check-creation.ts'
import { attestedData } from './library.ts'
import { isSigned, readPublicKey } from './public-key.ts'

const file = new URL('../../../../shared/vectors/webauthn-l3-vectors.json', import.meta.url)

interface Ceremony {
  readonly challenge_b64u: string
  readonly clientDataJSON_b64u: string
}

interface Pair {
  readonly id: string
  readonly registration: Ceremony & {
    readonly credential_id: string
    readonly attestationObject_b64u: string
  }
  readonly authentication: Ceremony & {
    readonly authenticatorData_b64u: string
    readonly signature_b64u: string
  }
}

const handle = Buffer.alloc(32, 7)

test.runIf(existsSync(file))(
  'the WebAuthn Level 3 test vectors are accepted or refused as expected',
  async () => {
    const outcomes = await Promise.all(pairs().map(outcomeOf))
    // oxfmt-ignore
    expect(Object.fromEntries(outcomes)).toEqual({
    'none-es256':                    ['verification', undefined],
    'packed-self-es256':             ['created', 'verification'],
    'none-es256-crossOrigin':        ['cross-origin', undefined],
    'none-es256-topOrigin':          ['cross-origin', undefined],
    'none-es256-long-credential-id': ['verification', undefined],
    'packed-es256':                  ['created', 'used'],
    'packed-es384':                  ['verification', undefined],
    // Its challenge has 128 bytes, and ours 32.
    'packed-es512':                  ['challenge', undefined],
    'packed-rs256':                  ['created', 'verification'],
    'packed-eddsa':                  ['verification', undefined],
    'packed-ed448':                  ['verification', undefined],
    'tpm-es256':                     ['created', 'used'],
    'android-key-es256':             ['created', 'verification'],
    'apple-es256':                   ['verification', undefined],
    'fido-u2f-es256':                ['verification', undefined],
  })
  },
)

test.runIf(existsSync(file))(
  'keys of unsupported curves in the test vectors are not read, and all other signatures are valid',
  async () => {
    const signed = await Promise.all(pairs().map(isSignedRight))
    expect(
      pairs()
        .filter((_, at) => signed[at] === undefined)
        .map(nameOf),
    ).toEqual(['packed-es384', 'packed-es512', 'packed-ed448'])
    expect(pairs().filter((_, at) => signed[at] === false)).toEqual([])
  },
)

function pairs(): readonly Pair[] {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Pair[] }
  return vectors.filter((pair) => 'registration' in pair)
}

function nameOf({ id }: Pair): string {
  return id.replace('sctn-test-vectors-', '')
}

async function outcomeOf(pair: Pair): Promise<[string, [string, string | undefined]]> {
  const site = { rpId: 'example.org', origin: 'https://example.org' }
  const { registration, authentication } = pair
  const id = Buffer.from(registration.credential_id, 'hex').toString('base64url')
  const credential = { id, rawId: id, type: 'public-key' }
  const creation = {
    clientDataJSON: registration.clientDataJSON_b64u,
    attestationObject: registration.attestationObject_b64u,
  }
  const created = await checkCreation(
    { ...credential, response: creation },
    { challenge: registration.challenge_b64u, site },
  )
  if ('refused' in created) return [nameOf(pair), [created.refused, undefined]]
  const assertion = {
    clientDataJSON: authentication.clientDataJSON_b64u,
    authenticatorData: authentication.authenticatorData_b64u,
    signature: authentication.signature_b64u,
    userHandle: handle.toString('base64url'),
  }
  const expected = {
    challenge: authentication.challenge_b64u,
    site,
    passkey: created.created,
    handle,
    listed: false,
  }
  const used = await checkAnswer({ ...credential, response: assertion }, expected)
  return [nameOf(pair), ['created', 'refused' in used ? used.refused : 'used']]
}

/** Returns undefined if the key is of a kind that we refuse. */
async function isSignedRight({ registration, authentication }: Pair) {
  const attested = await attestedData(bytes(registration.attestationObject_b64u))
  const credential = readCredential(readAuthenticatorData(attested ?? none)?.rest ?? none)
  const key = readPublicKey(credential?.keyAndExtensions ?? none)
  const clientData = sha256(bytes(authentication.clientDataJSON_b64u))
  const signed = Buffer.concat([bytes(authentication.authenticatorData_b64u), clientData])
  return key && isSigned(signed, bytes(authentication.signature_b64u), key)
}

const none = Buffer.alloc(0)

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

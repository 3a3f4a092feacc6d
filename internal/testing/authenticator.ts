import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export type Algorithm = 'Ed25519' | 'ES256' | 'RS256'

/** What is wrong in an authenticator's answer; the rest is right, and signed. */
export interface Wrong {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: unknown
  readonly topOrigin?: string
  /** Anything instead of the client data. */
  readonly clientData?: string | Buffer
  readonly rpId?: string
  readonly present?: boolean
  readonly verified?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly signCount?: number
  readonly credentialId?: Buffer
  /** COSE, or anything, instead of the key. */
  readonly publicKey?: Buffer
  /** CBOR, or anything, appended. */
  readonly extensions?: Buffer
  /** The answer's flags: whether it contains a credential, and extensions. */
  readonly attested?: boolean
  readonly extended?: boolean
  readonly attestation?: { readonly fmt: string; readonly attStmt: Item }
  /** The user handle; null to send none. */
  readonly handle?: Buffer | null
  readonly signature?: (right: Buffer) => Buffer
}

interface Credential {
  readonly id: Buffer
  readonly rpId: string
  readonly handle: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  signCount: number
}

interface Model {
  readonly algorithm: Algorithm
  /** The requesting page's origin. */
  readonly origin: string
  readonly aaguid: Buffer
  /** Whether it counts its uses; synced passkeys never do, and send 0. */
  readonly counts: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
}

/**
 * An authenticator and its browser, with real keys and signatures. It answers like the `toJSON()` of the results of
 * `navigator.credentials`, touched and verified each time.
 */
export class Authenticator {
  readonly #model: Model
  readonly #credentials: Credential[] = []

  constructor(model: Partial<Model> = {}) {
    const { backedUp = false, backupEligible = backedUp } = model
    this.#model = {
      algorithm: model.algorithm ?? 'ES256',
      origin: model.origin ?? 'http://localhost:3000',
      aaguid: model.aaguid ?? Buffer.alloc(16),
      counts: model.counts ?? true,
      backupEligible,
      backedUp,
    }
  }

  /** Throws like a browser: InvalidStateError if it has one of the excluded passkeys, NotSupportedError. */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    wrong: Wrong = {},
  ): RegistrationResponseJSON {
    if (this.#find(options.excludeCredentials).length > 0) throw failure('InvalidStateError')
    const alg = cose[this.#model.algorithm]
    if (!options.pubKeyCredParams.some((one) => one.alg === alg)) throw failure('NotSupportedError')
    const credential: Credential = {
      ...makeKeys(this.#model.algorithm),
      id: wrong.credentialId ?? randomBytes(32),
      rpId: options.rp.id ?? new URL(this.#model.origin).hostname,
      handle: bytes(options.user.id),
      signCount: 0,
    }
    this.#credentials.push(credential)
    const { id, publicKey } = credential
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const key = wrong.publicKey ?? coseKey(publicKey)
    const attested = Buffer.concat([this.#model.aaguid, length, id, key])
    const authenticatorData = this.#authenticatorData(credential, attested, wrong)
    const { fmt, attStmt } = wrong.attestation ?? { fmt: 'none', attStmt: new Map() }
    const attestationObject = new Map<Item, Item>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authenticatorData],
    ])
    return {
      ...credentialJson(id),
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', options.challenge, wrong)),
        attestationObject: text(cbor(attestationObject)),
        authenticatorData: text(authenticatorData),
        publicKey: text(publicKey.export({ type: 'spki', format: 'der' })),
        publicKeyAlgorithm: alg,
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** Answers with the newest requested credential, and throws NotAllowedError if there is none. */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    wrong: Wrong = {},
  ): AuthenticationResponseJSON {
    const isAny = (options.allowCredentials ?? []).length === 0
    const candidates = isAny ? this.#credentials : this.#find(options.allowCredentials)
    const credential = candidates.findLast(({ rpId }) => rpId === options.rpId)
    if (!credential) throw failure('NotAllowedError')
    const clientData = this.#clientData('webauthn.get', options.challenge, wrong)
    const authenticatorData = this.#authenticatorData(credential, undefined, wrong)
    const signed = Buffer.concat([authenticatorData, hash('sha256', clientData, 'buffer')])
    const signature = sign(digestOf[this.#model.algorithm], signed, credential.privateKey)
    const handle = wrong.handle === undefined ? credential.handle : wrong.handle
    return {
      ...credentialJson(wrong.credentialId ?? credential.id),
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(wrong.signature?.(signature) ?? signature),
        ...(handle ? { userHandle: text(handle) } : {}),
      },
    }
  }

  /** Returns a copy with the same keys, which counts independently from here on. */
  clone(): Authenticator {
    const copy = new Authenticator(this.#model)
    copy.#credentials.push(...this.#credentials.map((credential) => ({ ...credential })))
    return copy
  }

  #find(listed: readonly PublicKeyCredentialDescriptorJSON[] = []): Credential[] {
    const ids = new Set(listed.map(({ id }) => id))
    return this.#credentials.filter(({ id }) => ids.has(text(id)))
  }

  #clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    if (wrong.clientData !== undefined) return Buffer.from(wrong.clientData)
    const data = {
      type: wrong.type ?? type,
      challenge: wrong.challenge ?? challenge,
      origin: wrong.origin ?? this.#model.origin,
      crossOrigin: wrong.crossOrigin ?? false,
      topOrigin: wrong.topOrigin,
    }
    return Buffer.from(JSON.stringify(data))
  }

  #authenticatorData(credential: Credential, attested: Buffer | undefined, wrong: Wrong): Buffer {
    if (this.#model.counts) credential.signCount += 1
    const flags = [
      wrong.present ?? true,
      false,
      wrong.verified ?? true,
      wrong.backupEligible ?? this.#model.backupEligible,
      wrong.backedUp ?? this.#model.backedUp,
      false,
      wrong.attested ?? attested !== undefined,
      wrong.extended ?? wrong.extensions !== undefined,
    ]
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(flags.reduce((sum, isSet, bit) => sum + (isSet ? 1 << bit : 0), 0))
    bytes.writeUInt32BE(wrong.signCount ?? credential.signCount, 1)
    const domain = hash('sha256', wrong.rpId ?? credential.rpId, 'buffer')
    return Buffer.concat([domain, bytes, attested ?? none, wrong.extensions ?? none])
  }
}

const none = Buffer.alloc(0)
const cose = { Ed25519: -8, ES256: -7, RS256: -257 } as const
const digestOf = { Ed25519: null, ES256: 'sha256', RS256: 'sha256' } as const

function makeKeys(algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm === 'Ed25519') return generateKeyPairSync('ed25519')
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** Encodes a key as COSE (RFC 9053, 8230). */
export function coseKey(key: KeyObject): Buffer {
  const { kty = '', x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  // oxfmt-ignore
  const entries: Readonly<Record<string, readonly (readonly [number, Item])[]>> = {
    OKP: [[1, 1], [3, -8], [-1, 6], [-2, bytes(x)]],
    EC: [[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]],
    RSA: [[1, 3], [3, -257], [-1, bytes(n)], [-2, bytes(e)]],
  }
  return cbor(new Map(entries[kty]))
}

export type Item = number | string | Buffer | readonly Item[] | ReadonlyMap<Item, Item>

/** Encodes CBOR in its shortest form, in the given order (RFC 8949). */
export function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  }
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  if (item instanceof Map) {
    const entries = [...item].flatMap(([name, value]: [Item, Item]) => [cbor(name), cbor(value)])
    return Buffer.concat([head(5, item.size), ...entries])
  }
  const items = item as readonly Item[]
  return Buffer.concat([head(4, items.length), ...items.map(cbor)])
}

function head(major: number, value: number): Buffer {
  const majorBits = major << 5
  if (value < 24) return Buffer.from([majorBits | value])
  if (value < 256) return Buffer.from([majorBits | 24, value])
  return Buffer.from([majorBits | 25, value >> 8, value & 255])
}

function credentialJson(id: Buffer) {
  return {
    id: text(id),
    rawId: text(id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function failure(name: string): DOMException {
  return new DOMException('The software authenticator does not answer that.', name)
}

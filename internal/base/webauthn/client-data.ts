import { clientDataOf } from './answer.ts'
import type { AnswerFault } from './answer-fault.ts'
import type { Site } from './site.ts'

export interface ExpectedClientData {
  /** The challenge as stored and sent: 32 bytes in base64url. No answer passes with any other text. */
  readonly challenge: string
  readonly site: Site
}

/** Returns why client data is not what the site asked for (WebAuthn 7.1 and 7.2, security rule 3). */
export function judgeClientData(
  bytes: Uint8Array,
  type: 'webauthn.create' | 'webauthn.get',
  { challenge, site }: { challenge: string; site: Site },
): AnswerFault | undefined {
  const data = parse(bytes)
  if (!data) return 'malformed'
  if (data.type !== type) return 'ceremony'
  if (data.challenge !== challenge) return 'challenge'
  if (data.origin !== site.origin) return 'origin'
  if (data.topOrigin !== undefined) return 'cross-origin'
  if (data.crossOrigin !== undefined && data.crossOrigin !== false) return 'cross-origin'
  return undefined
}

/**
 * Returns whether a text has a challenge's form. Checked first: an answer might state the same empty text.
 */
export function isChallenge(challenge: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(challenge)
}

/** Returns the challenge that an answer states, checking only its form; undefined if it states none. */
export function challengeOf(answer: unknown): string | undefined {
  const bytes = clientDataOf(answer)
  const challenge = bytes && parse(bytes)?.challenge
  return typeof challenge === 'string' && isChallenge(challenge) ? challenge : undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Readonly<Record<string, unknown>>
  } catch {
    // Both report invalid UTF-8 or JSON only by throwing.
    return undefined
  }
}

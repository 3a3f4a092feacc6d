import { sha256 } from '../crypto/random.ts'
import { isCredentialId, readAssertion } from './answer.ts'
import { judgeAuthenticatorData, readAuthenticatorData } from './authenticator-data.ts'
import { isChallenge, judgeClientData } from './client-data.ts'
import type { ExpectedClientData } from './client-data.ts'
import { acceptsAssertion } from './library.ts'
import { isSigned, readPublicKey } from './public-key.ts'
import type { AnswerFault } from './answer-fault.ts'

/** The passkey that has to answer, and its user. */
interface ExpectedAnswer extends ExpectedClientData {
  /** The passkey as stored in the database. */
  readonly passkey: {
    readonly credentialId: Uint8Array
    readonly publicKey: Uint8Array
    readonly signCount: number
    readonly backupEligible: boolean
  }
  /** The handle of the user that the passkey belongs to. */
  readonly handle: Uint8Array
  /** The user was known and their passkeys were listed: the answer may omit the handle (WebAuthn 7.2). */
  readonly listed: boolean
}

/** The properties of a passkey that a use changes. */
export interface UsedPasskey {
  readonly signCount: number
  readonly backedUp: boolean
}

/**
 * Checks the answer of a passkey (spec: Passkeys; security rule 3). Two answers with the same signature
 * counter both pass here: the statement that stores the new counter must let only one of them through.
 */
export async function checkAnswer(
  answer: unknown,
  { challenge, site, passkey, handle, listed }: ExpectedAnswer,
): Promise<{ used: UsedPasskey } | { refused: AnswerFault }> {
  const checked = readAnswer(answer, { challenge, site })
  if ('refused' in checked) return checked
  const { assertion, data } = checked
  if (!assertion.id.equals(passkey.credentialId)) return { refused: 'credential' }
  const isNamed = assertion.handle?.equals(handle) ?? listed
  if (!isNamed) return { refused: 'handle' }
  if (data.backupEligible !== passkey.backupEligible) return { refused: 'backup' }
  const key = readPublicKey(Buffer.from(passkey.publicKey))
  if (!key) return { refused: 'key' }
  const signed = Buffer.concat([assertion.authenticatorData, sha256(assertion.clientData)])
  if (!isSigned(signed, assertion.signature, key)) return { refused: 'signature' }
  const { signCount, backedUp } = data
  if (!advances(passkey.signCount, signCount)) return { refused: 'count' }
  const expected = { challenge: checked.challenge, site }
  const accepted = await acceptsAssertion(assertion, expected, passkey)
  return accepted ? { used: { signCount, backedUp } } : { refused: 'library' }
}

/** Returns why an answer is refused without looking its passkey up; undefined if nothing is wrong with it. */
export function judgeAnswer(
  answer: unknown,
  expected: ExpectedClientData,
): AnswerFault | undefined {
  const checked = readAnswer(answer, expected)
  if ('refused' in checked) return checked.refused
  return isCredentialId(checked.assertion.id) ? undefined : 'credential'
}

/** Checks what can be checked of an answer without its passkey. */
function readAnswer(answer: unknown, { challenge, site }: ExpectedClientData) {
  if (!isChallenge(challenge)) return refused('challenge')
  const assertion = readAssertion(answer)
  if (!assertion) return refused('malformed')
  const wrongly = judgeClientData(assertion.clientData, 'webauthn.get', { challenge, site })
  if (wrongly) return refused(wrongly)
  const data = readAuthenticatorData(assertion.authenticatorData)
  if (!data || data.hasCredential) return refused('malformed')
  if (data.rest.length > 0 !== data.hasExtensions) return refused('malformed')
  const unfit = judgeAuthenticatorData(data, site)
  return unfit ? refused(unfit) : { assertion, data, challenge }
}

function refused(refused: AnswerFault) {
  return { refused }
}

/** Returns whether the signature counter advances. Synced passkeys always count 0. */
function advances(from: number, to: number): boolean {
  return to > from || (to === 0 && from === 0)
}

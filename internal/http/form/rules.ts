import { longestName, longestPassword, shortestPassword } from '../../../web/contract/limits.ts'
import { throttleAddress } from '../../base/network/address.ts'
import { emailKey, judgeEmail } from '../../base/email.ts'
import { isJustMade, isTaken } from '../../domain/accounts/register.ts'
import { take } from '../../services/throttle.ts'
import { type Fields, textOf } from '../body/fields.ts'
import { isPlain, noteSentTwice } from './failed-form.ts'
import { hasAnswer } from '../passkey-exchange.ts'
import type { Arrived } from '../arrived.ts'
import type { Context, UserContext } from '../context.ts'
import type { Rule, TooSoon } from './form.ts'

type Sentences = Context['words']['errors']

export const required: Rule = (value, { c }) => (value === '' ? c.words.errors.required : undefined)

export const email: Rule = (value, { c }) => {
  const fault = judgeEmail(value)
  return fault && c.words.errors[fault]
}

/** Accepts a value of the list. `says`: the name of the message for any other value. */
export function oneOf(list: readonly string[], sentence: keyof Sentences): Rule {
  return (value, { c }) => (list.includes(value) ? undefined : c.words.errors[sentence])
}

/** Accepts at most so many code points. `says`: the name of the message for a longer value. */
export function atMost(most: number, sentence: keyof Sentences): Rule {
  return (value, { c }) => (Array.from(value).length > most ? c.words.errors[sentence] : undefined)
}

// Some scripts need the two joiners; all other such characters hide text or reverse its direction.
const unshown = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** Accepts any visible text as a name that is not too long. */
export const personName: Rule = (value, submission) => {
  // A name of only fillers and joiners is invisible. Inline regex for a quick start, as in `judgeEmail`.
  const isShown =
    value === '' || /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]/u.test(value)
  if (!isShown || unshown.test(withoutFlags(value))) return submission.c.words.errors.control
  return nameFits(value, submission)
}

const nameFits = atMost(longestName, 'nameLong')

/** Removes the flags of England, Scotland and Wales, made of tag characters, which elsewhere hide text. */
function withoutFlags(name: string): string {
  return name.replace(/\p{RGI_Emoji_Tag_Sequence}/gv, '')
}

/** Accepts a new password by its length in code points; nothing else is asked (spec: Passwords). */
export const newPassword: Rule = (value, submission) =>
  Array.from(value).length < shortestPassword
    ? submission.c.words.errors.passwordShort
    : passwordFits(value, submission)

const passwordFits = atMost(longestPassword, 'passwordLong')

/** Accepts only the value of another field. */
export function sameAs(field: string): Rule {
  return (value, { c, fields }) =>
    value === textOf(fields, field) ? undefined : c.words.errors.passwordMismatch
}

/**
 * Accepts an email without an account. Lookups are throttled, so that nobody can enumerate emails (security
 * rule 14).
 */
export const freeEmail: Rule<Context> = async (value, { c, fields }) => {
  const outcome = await lookUpEmail(c, value)
  if (outcome !== 'taken') return outcome
  const registered = { email: value, name: textOf(fields, 'name') }
  if (await isJustMade(c.app, registered)) noteSentTwice(c)
  return c.words.errors.taken
}

/** Accepts an email that no other account uses; the user's current one needs no lookup. */
export const emailOfNoOther: Rule<UserContext> = async (value, { c }) => {
  if (emailKey(value) === c.visitor.user.emailKey) return undefined
  const outcome = await lookUpEmail(c, value)
  return outcome === 'taken' ? c.words.errors.takenByOther : outcome
}

// Counted even if the registration is then refused for too many hashes: that tells its sender that the email
// is free.
async function lookUpEmail(c: Arrived, email: string): Promise<'taken' | TooSoon | undefined> {
  const seconds = await take(c.app, 'registrations', throttleAddress(c.address))
  if (seconds !== undefined) return { message: c.words.tryAgainIn(seconds), seconds }
  return (await isTaken(c.app, email)) ? 'taken' : undefined
}

/** Whether the user has no password to be asked for. */
export function lacksPassword({ visitor }: UserContext): boolean {
  return visitor.user.passwordHash === ''
}

/** Requires a value, unless the user has no password. */
export const currentPassword: Rule<UserContext> = (value, submission) =>
  lacksPassword(submission.c) ? undefined : required(value, submission)

/**
 * Requires a passkey's answer, which the page's script asks for: a plain form without one was sent before the
 * script had loaded, and counts as no try.
 */
export const passkeyAnswer: Rule<Context> = (_, { c, fields }) =>
  isPlain(c) && !hasAnswer(fields) ? c.words.errors.passkeyEarly : undefined

/** As `passkeyAnswer`, where a password is an alternative: only the button for a passkey sends this field. */
export const passkeyAnswerIfAsked: Rule<Context> = (value, submission) =>
  submission.fields.has('credential') ? passkeyAnswer(value, submission) : undefined

/** Requires a value, unless the button for a passkey was pressed. */
export const passwordOrPasskey: Rule<Context> = (value, submission) =>
  isForPasskey(submission) ? undefined : required(value, submission)

/** Requires the password, or a passkey's answer from a user who has none. */
export const passwordElsePasskey: Rule<UserContext> = (value, submission) => {
  const { c } = submission
  if (!lacksPassword(c)) return required(value, submission)
  return isForPasskey(submission) ? undefined : c.words.errors.noPassword
}

function isForPasskey({ c, fields }: { c: Context; fields: Fields }): boolean {
  return hasAnswer(fields) || (isPlain(c) && fields.has('credential'))
}

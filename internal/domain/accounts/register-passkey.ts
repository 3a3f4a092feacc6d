import { pathOf, paths } from '../../../web/contract/paths.ts'
import { emailKey, emailWritten } from '../../base/email.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { checkSignedToken, makeSignedToken } from '../../base/crypto/signed-token.ts'
import { users } from '#db/users'
import { push } from '../../services/jobs/push.ts'
import type { JobPayloads } from '../../services/jobs/job-names.ts'
import { type Browser, type Login, makeLogin } from '../logins/make-login.ts'
import { knownLanguage } from '../mails/language-of.ts'
import { registrationMail } from '../mails/mails.ts'
import { type FirstPasskey, keepFirstPasskey, takeRegistration } from '../passkeys/first-passkey.ts'
import { countMail } from './count-mail.ts'
import { isTaken } from './register.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { PasskeyAnswer, PasskeyRefused } from '../passkeys/passkey-answer.ts'

/** The person whose account is to be made. */
export interface Registrant {
  readonly name: string
  readonly email: string
}

/** The contents of a link, either mailed or forged. */
export interface RegistrationLink extends Registrant {
  readonly token: string
}

/**
 * Pushes the mail of a link that makes an account with a passkey, unless too many were asked for (spec:
 * Register with a passkey). Returns when the next request is allowed.
 */
export async function askRegistration(
  app: App,
  { name, email }: Registrant,
  { address, language }: Browser,
): Promise<Date> {
  const { isAllowed, next } = await countMail(app, 'register', { email, address })
  const payload = { name, email: emailKey(email), written: emailWritten(email), language }
  if (isAllowed) await app.db.transaction((tx) => push(app, tx, 'registration-mail', payload))
  return next
}

type RegistrationMail = JobPayloads['registration-mail']

/** Runs the job `registration-mail`: mails the link, unless the email has an account by now. */
export async function sendRegistration(
  app: App,
  { name, email: key, written: email = key, language }: RegistrationMail,
  signal: AbortSignal,
): Promise<void> {
  if (await isTaken(app, email)) return
  const { links } = app.config
  const mail = registrationMail({
    address: email,
    link: registrationLink(app, { name, email }),
    links,
    language: knownLanguage(language),
  })
  await app.mailer.send(mail, signal)
}

/** `over`: the link has expired or was altered. `done`: its email has an account. */
export type LinkJudged = 'good' | 'over' | 'done'

/** Judges a link. Only a link that we made reveals whether its email has an account. */
export async function judgeLink(
  app: App,
  { name, email, token }: RegistrationLink,
): Promise<LinkJudged> {
  const fields = signedOver({ name, email })
  if (!checkSignedToken(app.keys, 'registration', { fields, token, now: app.now() })) return 'over'
  return (await isTaken(app, email)) ? 'done' : 'good'
}

export type PasskeyRegistration =
  | { result: 'over' }
  | { result: 'done' }
  | PasskeyRefused
  /** Some account has the passkey already. */
  | { result: 'taken' }
  | { result: 'made'; login: Login }

/** Makes the account of a link, with the passkey in the browser's answer, and logs the browser in. */
export async function registerWithPasskey(
  app: App,
  link: RegistrationLink,
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<PasskeyRegistration> {
  const judged = await judgeLink(app, link)
  if (judged !== 'good') return { result: judged }
  const registration = await takeRegistration(app, answer)
  if (registration.result === 'refused') return registration
  try {
    return await app.db.transaction((tx) =>
      makeAccount(app, tx, link, { ...registration, browser }),
    )
  } catch (error) {
    if (error instanceof PasskeyTaken) return { result: 'taken' }
    throw error
  }
}

async function makeAccount(
  app: App,
  tx: Tx,
  { name, email }: Registrant,
  { passkey, browser }: { passkey: FirstPasskey; browser: Browser },
): Promise<PasskeyRegistration> {
  const at = app.now()
  const account = { name, email, emailKey: emailKey(email), passwordHash: '', at }
  const user = await users.insert(tx, account)
  // The same link was used twice at once, or somebody registered with a password meanwhile.
  if (!user) return { result: 'done' }
  // Whoever has the link has read the mail.
  await users.verify(tx, { id: user.id, email, at })
  if (!(await keepFirstPasskey(app, tx, user, { passkey, browser }))) throw new PasskeyTaken()
  const login = await makeLogin(app, tx, user, { browser, remember: false, tells: false })
  return { result: 'made', login }
}

/** Thrown to roll back the transaction of an account. */
class PasskeyTaken extends Error {}

function registrationLink(app: App, { name, email }: Registrant): string {
  const endsAt = new Date(app.now().getTime() + lifetimes.registration)
  const token = makeSignedToken(app.keys, 'registration', {
    fields: signedOver({ name, email }),
    endsAt,
  })
  const query = new URLSearchParams({ email, name }).toString()
  // Programs that detect links take a final dot as the end of the sentence, and a name may end in one.
  const coded = query.replace(/[^a-z\d]$/i, (last) => `%${last.charCodeAt(0).toString(16)}`)
  return `${app.config.origin}${pathOf(paths['register.passkey.create'], { token })}?${coded}`
}

function signedOver({ name, email }: Registrant): string[] {
  return [email, name]
}

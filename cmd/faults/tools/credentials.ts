import { openDatabase } from '#db/driver'
import { codeAt } from '../../../internal/testing/totp.ts'
import { emailOf, password } from '../../../internal/testing/database/fill-database.ts'
import { mustBe, Visitor } from './client.ts'
import type { Line, Server } from './servers.ts'
import { until } from './until.ts'

/** A single-use code or link. */
export interface Credential {
  readonly name: string
  /** Whether it is first tried at the right time, when it must be accepted. */
  readonly isEarly: boolean
  readonly tries: number
  readonly accepted: number
  /** Tries the credential on the server. */
  try(): Promise<void>
}

/** Returns two credentials of each kind: one to try at once, and one to try first when the clock is `seconds` ahead. */
export async function credentialsOf(
  server: Server,
  first: number,
  seconds: number,
): Promise<{ early: readonly Credential[]; late: readonly Credential[] }> {
  const [codeUser, recoveryUser] = [
    await twoFactor(server, first),
    await twoFactor(server, first + 1),
  ]
  const currentCode = codeAt(codeUser.secret, new Date(Date.now() + halfMinute))
  const laterCode = codeAt(codeUser.secret, new Date(Date.now() + seconds * 1000))
  const [recovery = '', secondCode = ''] = recoveryUser.codes
  const reset = (user: number) => resetAttempt(server, emailOf(user))
  const verification = (name: string) => verificationAttempt(server, `${name}${first}@example.com`)
  const tryForm = (user: number, form: Form) => () => isCodeAccepted(server, user, form)
  const { early, late } = tries
  return {
    early: [
      early('a code', tryForm(first, { code: currentCode })),
      early('a recovery code', tryForm(first + 1, { recovery_code: recovery })),
      early('a reset link', await reset(first + 2)),
      early('a verification link', await verification('early')),
    ],
    late: [
      late('a code of then', tryForm(first, { code: laterCode })),
      late('another recovery code', tryForm(first + 1, { recovery_code: secondCode })),
      late('another reset link', await reset(first + 3)),
      late('another verification link', await verification('late')),
    ],
  }
}

type Form = Readonly<Record<string, string>>
type Attempt = () => Promise<boolean>

// The next half minute's code: it is accepted already, and earlier ones may have been used to turn two-factor on.
const halfMinute = 30_000

const tries = {
  early: (name: string, use: Attempt) => new CountedCredential(name, use, true),
  late: (name: string, use: Attempt) => new CountedCredential(name, use, false),
}

class CountedCredential implements Credential {
  readonly name: string
  readonly isEarly: boolean
  tries = 0
  accepted = 0
  readonly #use: Attempt

  constructor(name: string, use: Attempt, isEarly: boolean) {
    this.name = name
    this.#use = use
    this.isEarly = isEarly
  }

  async try(): Promise<void> {
    this.tries += 1
    if (await this.#use()) this.accepted += 1
  }
}

/** Turns on two-factor login for a user. */
export async function twoFactor(
  server: Server,
  user: number,
): Promise<{ secret: string; codes: readonly string[] }> {
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(user))
  mustBe(303, await visitor.post('/settings/two-factor', {}))
  const secret = (await security(visitor)).props?.twoFactor?.setup?.secret ?? ''
  const code = codeAt(secret, new Date())
  mustBe(303, await visitor.post('/settings/two-factor/confirm', { code }))
  const codes = (await security(visitor)).flash?.recoveryCodes ?? []
  visitor.leave()
  if (codes.length === 0) throw new Error('Two-factor login was not turned on.')
  return { secret, codes }
}

interface Security {
  readonly props?: { readonly twoFactor?: { readonly setup?: { readonly secret: string } | null } }
  readonly flash?: { readonly recoveryCodes?: readonly string[] }
}

async function security(visitor: Visitor): Promise<Security> {
  return JSON.parse(
    (await visitor.get('/settings/security', { 'X-Page': 'true' })).body,
  ) as Security
}

/** Logs in with the password and this code, in a new browser, and returns whether the code was accepted. */
export async function isCodeAccepted(server: Server, user: number, form: Form): Promise<boolean> {
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(user))
  const { status, headers } = await visitor.post('/two-factor-challenge', form)
  visitor.leave()
  if (status !== 303 || headers['retry-after'] !== undefined)
    throw new Error(`A code was answered ${status}, ${headers['retry-after'] ?? 'no wait'}.`)
  return headers.location === '/dashboard'
}

async function resetAttempt(server: Server, email: string): Promise<Attempt> {
  mustBe(303, await new Visitor(server).post('/forgot-password', { email }))
  const link = await linkIn(server, email, 'reset-password')
  const token = link.pathname.split('/').at(-1) ?? ''
  let attempts = 0
  return async () => {
    const visitor = new Visitor(server)
    const newPassword = `${password} ${++attempts}`
    const form = { email, token, password: newPassword, password_confirmation: newPassword }
    const { headers } = await visitor.post('/reset-password', form)
    visitor.leave()
    return headers.location === '/dashboard'
  }
}

/** A verification link counts as accepted if it changes something: following it again only redirects. */
async function verificationAttempt(server: Server, email: string): Promise<Attempt> {
  await new Visitor(server).register(email)
  const { pathname } = await linkIn(server, email, 'verify-email')
  return async () => {
    const before = await verifiedAt(server, email)
    await new Visitor(server).get(pathname)
    return (await verifiedAt(server, email)) !== before
  }
}

async function verifiedAt({ database }: Server, email: string): Promise<string | null> {
  const db = await openDatabase({ file: database })
  const row = await db.first<{ at: string | null }>`
    SELECT CAST(email_verified_at AS TEXT) AS at FROM users WHERE email = ${email}`
  await db.close()
  return row?.at ?? null
}

/** Returns the link in a mail to this address, from the log. An unverified email appears there without a name. */
export async function linkIn(
  log: Pick<Server, 'lines'>,
  email: string,
  path: string,
): Promise<URL> {
  let link: string | undefined
  await until(() => (link = lastLink(log.lines, email, path)) !== undefined, 20_000)
  if (link === undefined) throw new Error(`No link was mailed to ${email}.`)
  return new URL(link)
}

/** Returns the last such link to this address in any mail. */
function lastLink(lines: readonly Line[], email: string, path: string): string | undefined {
  const link = new RegExp(`http://[^ ]*/${path}/[^ ]*`)
  let isToEmail = false
  let last: string | undefined
  for (const { message, to } of lines) {
    if (message === 'mail') isToEmail = String(to).includes(email)
    else if (isToEmail) last = link.exec(message)?.[0] ?? last
  }
  return last
}

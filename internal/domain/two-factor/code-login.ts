import { users } from '#db/users'
import { readWaiting, takeWaiting, type WaitingLogin } from '../logins/hold-login.ts'
import { type Browser, fingerprint, makeLogin, type Login } from '../logins/make-login.ts'
import { checkCode, type CodeTry, type SubmittedCode } from './check-code.ts'
import { codesLeft } from './codes.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

export type Finish =
  /** No login waits under this name, or not any more. */
  | { result: 'over' }
  | { result: 'wait'; seconds: number; user: number }
  | { result: 'wrong'; user: number }
  | { result: 'lost'; user: number }
  /** `codesLeft`: how many recovery codes are left, when one was used. */
  | { result: 'right'; login: Login; codesLeft: number | undefined }

interface LoginAttempt {
  /** The name under which the login waits, which the session keeps. */
  readonly waiting: string
  readonly submitted: SubmittedCode
  readonly browser: Browser
}

/** Logs in the browser whose login waits, once the code is right (spec: Two-factor challenge). */
export async function finishLogin(app: App, attempt: LoginAttempt): Promise<Finish> {
  const user = await whoWaits(app, attempt.waiting)
  const tried = user && (await tryCode(app, user, attempt))
  if (!user || !tried) return { result: 'over' }
  if (tried.result === 'right') return { result: 'right', ...tried.made }
  // The form may have been sent twice. Then the first one has logged in, and the second was not wrong.
  return (await whoWaits(app, attempt.waiting)) ? { ...tried, user: user.id } : { result: 'over' }
}

/** The user whose login waits under this name; undefined when it waits for no code any more. */
export async function whoWaits(app: App, waiting: string): Promise<User | undefined> {
  const held = await readWaiting(app, waiting)
  const user = held && (await users.byId(app.db, held.userId))
  return user && isOf(held, user) ? user : undefined
}

/**
 * Whether the waiting login still fits the user: with another password, or no code to ask for, a login has to begin
 * anew.
 */
function isOf(held: WaitingLogin, user: User): boolean {
  return held.fingerprint === fingerprint(user.passwordHash) && user.twoFactorSecret !== null
}

/** undefined when the login waits no more; then the code is not used up. */
async function tryCode(
  app: App,
  user: User,
  attempt: LoginAttempt,
): Promise<CodeTry<Awaited<ReturnType<typeof logInOnce>>> | undefined> {
  try {
    return await checkCode(app, user, attempt.submitted, (tx, current) =>
      logInOnce(app, tx, current, attempt),
    )
  } catch (error) {
    if (error instanceof WaitsNoMore) return undefined
    throw error
  }
}

async function logInOnce(
  app: App,
  tx: Tx,
  user: User,
  { waiting, submitted, browser }: LoginAttempt,
) {
  const held = await takeWaiting(app, tx, waiting)
  if (!held || !isOf(held, user)) throw new WaitsNoMore()
  const { remember, tells } = held
  const login = await makeLogin(app, tx, user, { browser, remember, tells })
  // `user` was read before the code was used up: one of these codes is the one that was used.
  const left = 'recoveryCode' in submitted ? codesLeft(app, user) - 1 : undefined
  return { login, codesLeft: left }
}

/** Thrown in the transaction of a code, so that none of it is kept. */
class WaitsNoMore extends Error {}

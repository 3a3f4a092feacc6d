import { users } from '#db/users'
import { readWaiting, takeWaiting, type WaitingLogin } from '../logins/hold-login.ts'
import { type Browser, fingerprint, makeLogin, type Login } from '../logins/make-login.ts'
import { checkCode, type CodeTry, type SubmittedCode } from './check-code.ts'
import { codesLeft } from './codes.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

export type Finish =
  /** No login waits under this name any more. */
  | { result: 'over' }
  | { result: 'wait'; seconds: number; user: number }
  | { result: 'wrong'; user: number }
  | { result: 'lost'; user: number }
  /** `codesLeft`: how many recovery codes are left, if one was used. */
  | { result: 'right'; login: Login; codesLeft: number | undefined }

interface LoginAttempt {
  /** The name of the waiting login, which the session keeps. */
  readonly waiting: string
  readonly submitted: SubmittedCode
  readonly browser: Browser
}

/** Logs in the browser of a waiting login, if the code is right (spec: Two-factor challenge). */
export async function finishLogin(app: App, attempt: LoginAttempt): Promise<Finish> {
  const user = await whoWaits(app, attempt.waiting)
  const codeTry = user && (await tryCode(app, user, attempt))
  if (!user || !codeTry) return { result: 'over' }
  if (codeTry.result === 'right') return { result: 'right', ...codeTry.outcome }
  // The form may have been sent twice: then the first one has logged in, and the second is not a wrong code.
  return (await whoWaits(app, attempt.waiting)) ? { ...codeTry, user: user.id } : { result: 'over' }
}

/** Returns the user whose login waits under this name; undefined if it no longer waits for a code. */
export async function whoWaits(app: App, waiting: string): Promise<User | undefined> {
  const waitingLogin = await readWaiting(app, waiting)
  const user = waitingLogin && (await users.byId(app.db, waitingLogin.userId))
  return user && stillFits(waitingLogin, user) ? user : undefined
}

/**
 * Returns whether the waiting login still fits the user: after a new password, or once no code is asked for,
 * the login must start over.
 */
function stillFits(waitingLogin: WaitingLogin, user: User): boolean {
  return (
    waitingLogin.fingerprint === fingerprint(user.passwordHash) && user.twoFactorSecret !== null
  )
}

/** Returns undefined if the login no longer waits; the code is then not used up. */
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
  const waitingLogin = await takeWaiting(app, tx, waiting)
  if (!waitingLogin || !stillFits(waitingLogin, user)) throw new WaitsNoMore()
  const { remember, tells } = waitingLogin
  const login = await makeLogin(app, tx, user, { browser, remember, tells })
  // `user` was read before the code was used up, so the used one is among these codes.
  const left = 'recoveryCode' in submitted ? codesLeft(app, user) - 1 : undefined
  return { login, codesLeft: left }
}

/** Thrown to roll back the transaction of a code. */
class WaitsNoMore extends Error {}

import { path } from '../../web/contract/paths.ts'
import { words } from '../../web/contract/words.ts'
import { holds, lifetimes } from '../base/lifetimes.ts'
import { localPath } from '../base/local-path.ts'
import { isLook } from './page/page.ts'
import { cameFrom, loginEnded, redirect, turnAway } from './reply.ts'
import { type Answer, text } from './answer.ts'
import type { Context } from './context.ts'

/** Answers to turn a request away, and returns undefined to let it through (spec: Route guards). */
export type Guard = (c: Context) => Answer | undefined

export type Who = readonly Guard[]

function loggedIn(c: Context): Answer | undefined {
  if (c.failure) throw c.failure
  if (c.visitor) return undefined
  // A page that asks by itself reads no other page.
  if (c.unasked) return text(401, words.guards.users)
  rememberPage(c)
  return turnAway(c, path('login'), { status: 401, message: words.guards.users })
}

function loggedOut(c: Context): Answer | undefined {
  return c.visitor ? redirect(c, path('dashboard')) : undefined
}

/** Whether the login still waits is told by its row. */
function waitsForCode(c: Context): Answer | undefined {
  return c.session.waiting === undefined ? loginEnded(c) : undefined
}

function emailVerified(c: Context): Answer | undefined {
  if (c.visitor?.user.emailVerifiedAt) return undefined
  return turnAway(c, path('verification.notice'), { status: 403, message: words.guards.verified })
}

function recentlyConfirmed(c: Context): Answer | undefined {
  const { confirmedAt = 0 } = c.session
  if (holds(confirmedAt, lifetimes.confirmation, c.app.now())) return undefined
  rememberPage(c)
  return turnAway(c, path('password.confirm'), { status: 423, message: words.guards.confirmed })
}

function rememberPage(c: Context): void {
  // Nobody is on the way to what was only looked at, or to what a page asks for by itself.
  if (!isLook(c) && !c.unasked) c.session = { ...c.session, wanted: wantedPage(c) }
}

/** Of a form, the page that it was on: the form itself cannot be sent again for the user. */
function wantedPage(c: Context): string {
  const otherwise = path('dashboard')
  return c.method === 'GET' ? (localPath(c.url) ?? otherwise) : cameFrom(c, otherwise)
}

export const everyone: Who = []
export const guests: Who = [loggedOut]
export const waiting: Who = [loggedOut, waitsForCode]
export const users: Who = [loggedIn]
export const verified: Who = [loggedIn, emailVerified]
/** The same, and the password typed within three hours (spec: Password confirmation). */
export const confirmedUsers: Who = [...users, recentlyConfirmed]
export const confirmedVerified: Who = [...verified, recentlyConfirmed]

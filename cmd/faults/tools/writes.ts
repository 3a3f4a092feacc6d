import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { upload } from './changes.ts'
import { type Answer, Visitor } from './client.ts'
import type { Server } from './servers.ts'

/** The acknowledged writes. */
export interface AcknowledgedWrites {
  readonly count: number
  /** The emails of the accounts created. */
  readonly emails: readonly string[]
  /** The emails for which a reset was requested. */
  readonly resetEmails: readonly string[]
  /** The last name of the user who renames themself: a number. */
  readonly name: number
  readonly tokens: number
  readonly photo: boolean
}

const writesPerKind = 4

/** How many writes `makeWrites` attempts. */
export const attemptedWrites = 4 * writesPerKind + 1

/** Attempts writes of several kinds concurrently, like many people, and returns the acknowledged ones. */
export async function makeWrites(server: Server): Promise<AcknowledgedWrites> {
  const writes = {
    emails: [] as string[],
    resetEmails: [] as string[],
    name: 0,
    names: 0,
    tokens: 0,
    photo: false,
  }
  const user = new Visitor(server)
  const isLoggedIn = await isAnswered(() => user.logIn(emailOf(1)))
  const numbers = Array.from({ length: writesPerKind }, (_, n) => n + 1)
  await Promise.all([
    ...numbers.map((n) => register(server, `new${n}@example.com`, writes.emails)),
    ...numbers.map((n) => askReset(server, `asked${n}@example.com`, writes.resetEmails)),
    isLoggedIn && changeUser(user, numbers, writes),
  ])
  user.leave()
  const { emails, resetEmails, names, tokens, photo } = writes
  const count = emails.length + resetEmails.length + names + tokens + Number(photo)
  return { ...writes, count }
}

async function register(server: Server, email: string, acknowledged: string[]): Promise<void> {
  const visitor = new Visitor(server)
  if (await isAnswered(() => visitor.register(email))) acknowledged.push(email)
  visitor.leave()
}

async function askReset(server: Server, email: string, acknowledged: string[]): Promise<void> {
  const visitor = new Visitor(server)
  const ask = () => visitor.post('/forgot-password', { email })
  if (await leadsTo('/forgot-password', ask)) acknowledged.push(email)
  visitor.leave()
}

interface UserChanges {
  name: number
  /** How many names were acknowledged. */
  names: number
  tokens: number
  photo: boolean
}

/** Alternately renames the user and creates tokens, then uploads a photo. */
async function changeUser(
  user: Visitor,
  numbers: readonly number[],
  writes: UserChanges,
): Promise<void> {
  const profile = '/settings/profile'
  const tokens = '/settings/tokens'
  for (const n of numbers) {
    if (await leadsTo(profile, () => user.rename(String(n), emailOf(1)))) {
      writes.name = n
      writes.names += 1
    }
    const token = { name: `Token ${n}`, abilities: 'user:read', expiry: '30' }
    if (await leadsTo(tokens, () => user.post(tokens, token))) writes.tokens += 1
  }
  writes.photo = await leadsTo(profile, () => upload(user))
}

/** Whether the answer redirects to this path: a form with errors is sent back to its own. */
async function leadsTo(path: string, ask: () => Promise<Answer>): Promise<boolean> {
  return isAnswered(async () => {
    const { status, headers } = await ask()
    if (status !== 303 || headers.location !== path) throw new Error(`It was answered ${status}.`)
  })
}

async function isAnswered(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch {
    return false
  }
}

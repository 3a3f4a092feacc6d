import { codeAt } from '../../../internal/testing/totp.ts'
import { emailOf, password } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import { movable } from '../clock.ts'
import { answers, linkIn, twoFactor } from '../tools/credentials.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { type Server, start } from '../tools/servers.ts'
import { startDatabase } from './database-server.ts'

const apart = 600
// Wrong logins that are allowed, per email and address.
const limit = 5
const halfMinute = 30_000

/** The server that is asked first, and the other one. */
type Pair = readonly [Server, Server]

/** The clock of one of two servers is ten minutes ahead of the other's. */
export async function clocksApart(extent: Extent): Promise<readonly Verdict[]> {
  const rounds = extent.quick ? 1 : 5
  const { settings } = await startDatabase(extent)
  const ahead = movable()
  ahead.set(apart)
  const right = await start({ settings })
  const early = await start({ settings: { ...settings, ...ahead.settings } })
  const wrong: string[] = []
  let checks = 0
  const compare = (name: string, actual: unknown, expected: unknown) => {
    checks += 1
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      wrong.push(`${name}: ${JSON.stringify(actual)}`)
  }
  for (let round = 0; round < 2 * rounds; round++) {
    const pair: Pair = round % 2 === 0 ? [right, early] : [early, right]
    compare('verification links, once each', await verified(pair, round), ['/dashboard', 'same'])
    compare('sessions here, there, ended', await sessions(pair, round), [200, 200, 303])
    compare('codes, once each', await codes(pair, round), [true, false, true, false])
    compare('reset links, once each', await resets(pair, round), ['/dashboard', 'refused'])
    compare('tries let in of twice as many', await tries(pair), limit)
  }
  const ended = await Promise.all([right.stop(), early.stop()])
  return [
    {
      fault: `the clocks of two servers ${apart / 60} minutes apart, ${2 * rounds} rounds`,
      promise: 'codes, throttles and sessions as one; links good on both, and once',
      measured: `${checks} looks, ${wrong.length} wrong${wrong.length > 0 ? ` (${wrong.slice(0, 5).join('; ')})` : ''}`,
      isKept: wrong.length === 0 && ended.every(({ code }) => code === 0),
    },
  ]
}

/** Creates an account on one, and follows the mailed link on the other, twice. */
async function verified([here, there]: Pair, user: number): Promise<readonly unknown[]> {
  const visitor = new Visitor(here)
  await visitor.register(emailOf(user))
  const { pathname } = await linkIn(both(here, there), emailOf(user), 'verify-email')
  visitor.port = there.port
  const first = await visitor.get(pathname)
  const second = await visitor.get(pathname)
  visitor.leave()
  return [first.headers.location, second.headers.location === first.headers.location ? 'same' : '']
}

/** Logs in on the first, checks on the second, logs out there, checks on the first. */
async function sessions([here, there]: Pair, user: number): Promise<readonly number[]> {
  const visitor = new Visitor(here)
  await visitor.logIn(emailOf(user))
  const loginsAt = async (at: Server) => {
    visitor.port = at.port
    return (await visitor.get('/settings/profile')).status
  }
  const counts = [await loginsAt(here), await loginsAt(there)]
  const thirdVisitor = new Visitor(there)
  await thirdVisitor.logIn(emailOf(user))
  await thirdVisitor.post('/settings/logins', { _method: 'DELETE' })
  thirdVisitor.leave()
  counts.push(await loginsAt(here))
  visitor.leave()
  return counts
}

/** Uses a code and a recovery code on the first, then on the second. */
async function codes([here, there]: Pair, user: number): Promise<readonly boolean[]> {
  const { secret, codes: recovery } = await twoFactor(here, user)
  const code = codeAt(secret, new Date(Date.now() + halfMinute))
  const [first = ''] = recovery
  return [
    await answers(here, user, { code }),
    await answers(there, user, { code }),
    await answers(there, user, { recovery_code: first }),
    await answers(here, user, { recovery_code: first }),
  ]
}

/** Requests a link on the first, and sets a password by it on the second and then on the first. */
async function resets([here, there]: Pair, user: number): Promise<readonly unknown[]> {
  const email = `reset${user}@example.com`
  const guest = new Visitor(here)
  await guest.register(email)
  await new Visitor(here).post('/forgot-password', { email })
  const { pathname } = await linkIn(both(here, there), email, 'reset-password')
  const token = pathname.split('/').at(-1) ?? ''
  const changed = `${password} again`
  const form = { email, token, password: changed, password_confirmation: changed }
  const first = await new Visitor(there).post('/reset-password', form)
  const second = await new Visitor(here).post('/reset-password', form)
  return [first.headers.location, second.headers.location === '/dashboard' ? 'accepted' : 'refused']
}

/**
 * Tries twice as many wrong logins as allowed, from one address, on both in turn, and returns how many were allowed.
 */
async function tries([here, there]: Pair): Promise<number> {
  const visitor = new Visitor(here)
  const form = { email: 'nobody@example.com', password: 'not this one' }
  let letIn = 0
  for (let n = 0; n < 2 * limit; n++) {
    visitor.port = (n % 2 === 0 ? here : there).port
    const { headers } = await visitor.post('/login', form)
    if (headers['retry-after'] === undefined) letIn += 1
  }
  visitor.leave()
  return letIn
}

/** Returns the logs of both together, since either may send a mail. */
function both(first: Server, second: Server): Pick<Server, 'lines'> {
  return {
    get lines() {
      return [...first.lines, ...second.lines]
    },
  }
}

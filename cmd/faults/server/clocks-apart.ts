import { codeAt } from '../../../internal/testing/totp.ts'
import { emailOf, password } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import { createMovableClock } from '../clock.ts'
import { isCodeAccepted, linkIn, twoFactor } from '../tools/credentials.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { type Server, start } from '../tools/servers.ts'
import { startDatabase } from './database-server.ts'

const secondsApart = 600
// Wrong logins that are allowed, per email and address.
const limit = 5
const halfMinute = 30_000

/** The server that is asked first, and the other one. */
type Pair = readonly [Server, Server]

/** The clock of one of two servers is ten minutes ahead of the other's. */
export async function clocksApart(extent: Extent): Promise<readonly Verdict[]> {
  const rounds = extent.quick ? 1 : 5
  const { settings } = await startDatabase(extent)
  const movableClock = createMovableClock()
  movableClock.set(secondsApart)
  const rightServer = await start({ settings })
  const earlyServer = await start({ settings: { ...settings, ...movableClock.settings } })
  const faults: string[] = []
  let checks = 0
  const check = (name: string, actual: unknown, expected: unknown) => {
    checks += 1
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      faults.push(`${name}: ${JSON.stringify(actual)}`)
  }
  for (let round = 0; round < 2 * rounds; round++) {
    const pair: Pair = round % 2 === 0 ? [rightServer, earlyServer] : [earlyServer, rightServer]
    check('verification links, once each', await followLinks(pair, round), ['/dashboard', 'same'])
    check('sessions here, there, ended', await checkSessions(pair, round), [200, 200, 303])
    check('codes, once each', await checkCodes(pair, round), [true, false, true, false])
    check('reset links, once each', await resetByLink(pair, round), ['/dashboard', 'refused'])
    check('tries let in of twice as many', await countTries(pair), limit)
  }
  const results = await Promise.all([rightServer.stop(), earlyServer.stop()])
  return [
    {
      fault: `the clocks of two servers ${secondsApart / 60} minutes apart, ${2 * rounds} rounds`,
      promise: 'codes, throttles and sessions as one; links good on both, and once',
      figures: `${checks} looks, ${faults.length} wrong${faults.length > 0 ? ` (${faults.slice(0, 5).join('; ')})` : ''}`,
      isKept: faults.length === 0 && results.every(({ code }) => code === 0),
    },
  ]
}

/** Creates an account on one, and follows the mailed link on the other, twice. */
async function followLinks(
  [firstServer, secondServer]: Pair,
  user: number,
): Promise<readonly unknown[]> {
  const visitor = new Visitor(firstServer)
  await visitor.register(emailOf(user))
  const { pathname } = await linkIn(
    combinedLog(firstServer, secondServer),
    emailOf(user),
    'verify-email',
  )
  visitor.port = secondServer.port
  const first = await visitor.get(pathname)
  const second = await visitor.get(pathname)
  visitor.leave()
  return [first.headers.location, second.headers.location === first.headers.location ? 'same' : '']
}

/** Logs in on the first, checks on the second, logs out there, checks on the first. */
async function checkSessions(
  [firstServer, secondServer]: Pair,
  user: number,
): Promise<readonly number[]> {
  const visitor = new Visitor(firstServer)
  await visitor.logIn(emailOf(user))
  const statusAt = async (at: Server) => {
    visitor.port = at.port
    return (await visitor.get('/settings/profile')).status
  }
  const counts = [await statusAt(firstServer), await statusAt(secondServer)]
  const thirdVisitor = new Visitor(secondServer)
  await thirdVisitor.logIn(emailOf(user))
  await thirdVisitor.post('/settings/logins', { _method: 'DELETE' })
  thirdVisitor.leave()
  counts.push(await statusAt(firstServer))
  visitor.leave()
  return counts
}

/** Uses a code and a recovery code on the first, then on the second. */
async function checkCodes(
  [firstServer, secondServer]: Pair,
  user: number,
): Promise<readonly boolean[]> {
  const { secret, codes: recovery } = await twoFactor(firstServer, user)
  const code = codeAt(secret, new Date(Date.now() + halfMinute))
  const [first = ''] = recovery
  return [
    await isCodeAccepted(firstServer, user, { code }),
    await isCodeAccepted(secondServer, user, { code }),
    await isCodeAccepted(secondServer, user, { recovery_code: first }),
    await isCodeAccepted(firstServer, user, { recovery_code: first }),
  ]
}

/** Requests a link on the first, and sets a password by it on the second and then on the first. */
async function resetByLink(
  [firstServer, secondServer]: Pair,
  user: number,
): Promise<readonly unknown[]> {
  const email = `reset${user}@example.com`
  const guest = new Visitor(firstServer)
  await guest.register(email)
  await new Visitor(firstServer).post('/forgot-password', { email })
  const { pathname } = await linkIn(combinedLog(firstServer, secondServer), email, 'reset-password')
  const token = pathname.split('/').at(-1) ?? ''
  const newPassword = `${password} again`
  const form = { email, token, password: newPassword, password_confirmation: newPassword }
  const first = await new Visitor(secondServer).post('/reset-password', form)
  const second = await new Visitor(firstServer).post('/reset-password', form)
  return [first.headers.location, second.headers.location === '/dashboard' ? 'accepted' : 'refused']
}

/**
 * Tries twice as many wrong logins as allowed, from one address, on both in turn, and returns how many were allowed.
 */
async function countTries([firstServer, secondServer]: Pair): Promise<number> {
  const visitor = new Visitor(firstServer)
  const form = { email: 'nobody@example.com', password: 'not this one' }
  let allowedTries = 0
  for (let n = 0; n < 2 * limit; n++) {
    visitor.port = (n % 2 === 0 ? firstServer : secondServer).port
    const { headers } = await visitor.post('/login', form)
    if (headers['retry-after'] === undefined) allowedTries += 1
  }
  visitor.leave()
  return allowedTries
}

/** Returns the logs of both together, since either may send a mail. */
function combinedLog(first: Server, second: Server): Pick<Server, 'lines'> {
  return {
    get lines() {
      return [...first.lines, ...second.lines]
    },
  }
}

import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, most, ms } from '../tools/figures.ts'
import { startMailServer } from '../tools/mail-server.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { logIn, ofRound, registerSome } from './instances.ts'

// Milliseconds that the mail server takes per mail, so that some are always in flight.
const slowness = 100
const longestTakenUp = 5000
const longestWait = 30_000

/** kill -9 of one of three servers while people write and mails are sent; another one replaces it. */
export async function instanceKilled(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const rounds = quick ? 4 : 50
  const mails = await startMailServer(slowness)
  const database = await startDatabase(extent)
  const settings = { ...database.settings, ...mails.settings }
  const begin = () => start({ settings })
  const servers = await Promise.all([begin(), begin(), begin()])
  const users = await Promise.all(
    servers.map(async (server, n) => {
      const user = new Visitor(server)
      await user.register(emailOf(n))
      return user
    }),
  )
  const took: number[] = []
  let [failed, logins, missing] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const at = round % servers.length
    const emails = await registerSome(servers)
    const enough = mails.received.length + 1
    await until(() => mails.received.length >= enough, longestWait)
    await servers[at]?.kill()
    const otherUsers = users.filter((_, n) => n !== at)
    const logging = Promise.all(otherUsers.map((user, n) => logIn(user, n < at ? n : n + 1)))
    const areSent = () => emails.every((email) => mails.received.includes(email))
    took.push(await until(areSent, longestWait))
    missing += emails.filter((email) => !mails.received.includes(email)).length
    const done = await logging
    logins += done.length
    failed += done.filter((isDone) => !isDone).length
    servers[at] = await begin()
    const user = users[at]
    if (user) user.port = servers[at].port
  }
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const total = rounds * ofRound
  return [
    {
      fault: `kill -9 of one of three servers under load, ${rounds} times`,
      promise: 'its jobs taken up within 5 s, no mail missing, no failed login on the others',
      measured:
        `${count(total)} mails, ${missing} missing, the last ${ms(most(took))} after the kill at most; ` +
        `${count(logins)} logins on the others, ${failed} failed`,
      isKept:
        missing === 0 &&
        failed === 0 &&
        most(took) <= longestTakenUp &&
        ended.every(({ code }) => code === 0),
    },
  ]
}

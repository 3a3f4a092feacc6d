import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { startMailServer } from '../tools/mail-server.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { logIn, accountsPerRound, registerAccounts } from './instances.ts'

// Milliseconds that the mail server takes per mail, so that some are always in flight.
const mailDelay = 100
const longestTakeover = 5000
const longestWait = 30_000

/** kill -9 of one of three servers while people write and mails are sent; another one replaces it. */
export async function instanceKilled(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const rounds = quick ? 4 : 50
  const mails = await startMailServer(mailDelay)
  const database = await startDatabase(extent)
  const settings = { ...database.settings, ...mails.settings }
  const startInstance = () => start({ settings })
  const servers = await Promise.all([startInstance(), startInstance(), startInstance()])
  const users = await Promise.all(
    servers.map(async (server, n) => {
      const user = new Visitor(server)
      await user.register(emailOf(n))
      return user
    }),
  )
  const mailDurations: number[] = []
  let [failed, logins, missing] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const at = round % servers.length
    const emails = await registerAccounts(servers)
    const mailsBeforeKill = mails.received.length + 1
    await until(() => mails.received.length >= mailsBeforeKill, longestWait)
    await servers[at]?.kill()
    const otherUsers = users.filter((_, n) => n !== at)
    const loginResults = Promise.all(otherUsers.map((user, n) => logIn(user, n < at ? n : n + 1)))
    const areSent = () => emails.every((email) => mails.received.includes(email))
    mailDurations.push(await until(areSent, longestWait))
    missing += emails.filter((email) => !mails.received.includes(email)).length
    const results = await loginResults
    logins += results.length
    failed += results.filter((isDone) => !isDone).length
    servers[at] = await startInstance()
    const user = users[at]
    if (user) user.port = servers[at].port
  }
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const total = rounds * accountsPerRound
  return [
    {
      fault: `kill -9 of one of three servers under load, ${rounds} times`,
      promise: 'its jobs taken up within 5 s, no mail missing, no failed login on the others',
      figures:
        `${count(total)} mails, ${missing} missing, the last ${ms(maximum(mailDurations))} after the kill at most; ` +
        `${count(logins)} logins on the others, ${failed} failed`,
      isKept:
        missing === 0 &&
        failed === 0 &&
        maximum(mailDurations) <= longestTakeover &&
        ended.every(({ code }) => code === 0),
    },
  ]
}

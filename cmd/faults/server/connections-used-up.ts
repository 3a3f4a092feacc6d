import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase, takeConnections } from './database-server.ts'

// Milliseconds.
const outageDuration = 5000
const longestReturn = 2000

/** Another program holds all of the database server's connections when the servers have to reconnect. */
export async function connectionsUsedUp(extent: Extent): Promise<readonly Verdict[]> {
  const database = await startDatabase(extent)
  const server = await start({ settings: database.settings })
  const visitor = new Visitor(server)
  await visitor.register(emailOf(1))
  // Paused meanwhile: otherwise it would reconnect before the other program takes all connections.
  server.signal('SIGSTOP')
  await database.kill()
  await database.start()
  const release = await takeConnections(database.port, extent)
  server.signal('SIGCONT')
  const answers: { status: number; retryAfter: boolean }[] = []
  const ask = async () => {
    const { status, headers } = await visitor.get('/settings/profile')
    return { status, retryAfter: headers['retry-after'] !== undefined }
  }
  for (
    const until = performance.now() + outageDuration;
    performance.now() < until;
    await pause(100)
  )
    answers.push(await ask())
  release()
  const recoveryTime = await until(async () => (await ask()).status === 200, 10 * longestReturn)
  const { code } = await server.stop()
  const refused = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter).length
  return [
    {
      fault: 'every connection of the database server used up by another',
      promise: '503 with Retry-After, then well again (2 s)',
      figures: `${count(answers.length)} pages, ${refused} answered so; well ${ms(recoveryTime)} after`,
      isKept: refused === answers.length && recoveryTime <= longestReturn && code === 0,
    },
  ]
}

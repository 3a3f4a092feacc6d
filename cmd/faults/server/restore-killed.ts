import { join } from 'node:path'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { newFolder, run, start } from '../tools/servers.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { startDatabase } from './database-server.ts'
import { newDatabase } from './schema.ts'

const accounts = 20

type Settings = Readonly<Record<string, string>>

/** kill -9 of `app restore` at one message to the database after the other, over a database without accounts. */
export async function restoreKilled(extent: Extent): Promise<readonly Verdict[]> {
  const points = extent.quick ? 6 : 40
  const database = await startDatabase(extent)
  const url = String(database.settings['DB_URL'])
  const proxy = await startCuttingProxy(database.port)
  const through = ({ DB_URL = '', ...otherSettings }: Settings): Settings => ({
    ...otherSettings,
    DB_URL: DB_URL.replace(`:${database.port}/`, `:${proxy.port}/`),
  })
  const empty = async (name: string): Promise<Settings> => {
    const settings = { ...database.settings, DB_URL: await newDatabase(url, name, extent) }
    await run(['migrate'], { settings })
    return settings
  }
  const archive = await archiveOf(await empty('source'))
  const args = ['restore', archive]
  const wholeSettings = through(await empty('whole'))
  const before = proxy.messages
  await run(args, { settings: wholeSettings })
  const messages = proxy.messages - before
  const states = { old: 0, new: 0, between: 0 }
  let [killed, finished] = [0, 0]
  for (let point = 0; point < points; point++) {
    const settings = await empty(`point${point}`)
    const killing = new AbortController()
    const at = 1 + Math.floor((point * (messages - 1)) / (points - 1))
    const when = point % 2 === 0 ? 'before it arrives' : 'before its answer'
    proxy.cutAt(at, when, () => killing.abort())
    const { signal } = await run(args, { settings: through(settings), killed: killing.signal })
    proxy.rest()
    if (signal === 'SIGKILL') killed += 1
    states[await stateOf(settings)] += 1
    const { code } = await run(args, { settings })
    if (code === 0 && (await stateOf(settings)) === 'new') finished += 1
  }
  return [
    {
      fault: `kill -9 during a restore, at ${points} points`,
      promise: 'the old database or the new one, whole; the next run does it all',
      measured:
        `${killed} killed: ${states.old} old, ${states.new} new, ${states.between} between; ` +
        `${finished} finished by the next run`,
      isKept: killed > points / 2 && states.between === 0 && finished === points,
    },
  ]
}

/** Returns a backup of `accounts` accounts. */
async function archiveOf(settings: Settings): Promise<string> {
  const server = await start({ settings: { ...settings, QUEUE_WORKERS: '0' } })
  for (let n = 0; n < accounts; n++) {
    const visitor = new Visitor(server)
    await visitor.register(emailOf(n))
    visitor.leave()
  }
  await server.stop()
  const archive = join(newFolder(), 'backup.tar')
  const { code, stderr } = await run(['backup', archive], { settings })
  if (code !== 0) throw new Error(`The backup was not made: ${stderr}`)
  return archive
}

async function stateOf(settings: Settings): Promise<'old' | 'new' | 'between'> {
  const { stdout, code } = await run(['users', 'list', '--all', '--json'], { settings })
  const users = code === 0 ? (JSON.parse(stdout) as unknown[]).length : -1
  if (users === 0) return 'old'
  return users === accounts ? 'new' : 'between'
}

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
  const throughProxy = ({ DB_URL = '', ...otherSettings }: Settings): Settings => ({
    ...otherSettings,
    DB_URL: DB_URL.replace(`:${database.port}/`, `:${proxy.port}/`),
  })
  const migratedDatabase = async (name: string): Promise<Settings> => {
    const settings = { ...database.settings, DB_URL: await newDatabase(url, name, extent) }
    await run(['migrate'], { settings })
    return settings
  }
  const archive = await makeArchive(await migratedDatabase('source'))
  const args = ['restore', archive]
  const referenceSettings = throughProxy(await migratedDatabase('whole'))
  const before = proxy.messages
  await run(args, { settings: referenceSettings })
  const messages = proxy.messages - before
  const states = { old: 0, new: 0, between: 0 }
  let [killedCount, finishedCount] = [0, 0]
  for (let point = 0; point < points; point++) {
    const settings = await migratedDatabase(`point${point}`)
    const killController = new AbortController()
    const at = 1 + Math.floor((point * (messages - 1)) / (points - 1))
    const when = point % 2 === 0 ? 'before it arrives' : 'before its answer'
    proxy.cutAt(at, when, () => killController.abort())
    const { signal } = await run(args, {
      settings: throughProxy(settings),
      killSignal: killController.signal,
    })
    proxy.stopCutting()
    if (signal === 'SIGKILL') killedCount += 1
    states[await stateOf(settings)] += 1
    const { code } = await run(args, { settings })
    if (code === 0 && (await stateOf(settings)) === 'new') finishedCount += 1
  }
  return [
    {
      fault: `kill -9 during a restore, at ${points} points`,
      promise: 'the old database or the new one, whole; the next run does it all',
      figures:
        `${killedCount} killed: ${states.old} old, ${states.new} new, ${states.between} between; ` +
        `${finishedCount} finished by the next run`,
      isKept: killedCount > points / 2 && states.between === 0 && finishedCount === points,
    },
  ]
}

/** Returns a backup of `accounts` accounts. */
async function makeArchive(settings: Settings): Promise<string> {
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

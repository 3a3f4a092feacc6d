import type { Extent, Tried } from '../fault.ts'
import { run } from '../servers.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { startDatabase } from './database-server.ts'
import { newDatabase, schemaAt, statesOfSchema } from './schema.ts'

interface Found {
  /** How many migrations had run; -1 between two of them. */
  readonly state: number
  readonly isKilled: boolean
  readonly next: 'did the rest' | 'says where' | 'is at a loss'
}

/** kill -9 of `app migrate` at one message to the database after the other, on a new database each time. */
export async function migrationKilled(extent: Extent): Promise<readonly Tried[]> {
  const points = extent.quick ? 12 : 60
  const database = await startDatabase(extent)
  const url = String(database.settings['DB_URL'])
  const proxy = await startCuttingProxy(database.port)
  const through = (place: string) => place.replace(`:${database.port}/`, `:${proxy.port}/`)
  const states = await statesOfSchema(url, extent)
  const whole = through(await newDatabase(url, 'whole', extent))
  await run(['migrate'], { settings: { DB_URL: whole } })
  const all = proxy.messages
  const found: Found[] = []
  for (let point = 0; point < points; point++) {
    const place = await newDatabase(url, `point${point}`, extent)
    const killing = new AbortController()
    const at = 1 + Math.floor((point * (all - 1)) / (points - 1))
    const when = point % 2 === 0 ? 'before it arrives' : 'before its answer'
    proxy.cutAt(at, when, () => killing.abort())
    const cut = { settings: { DB_URL: through(place) }, killed: killing.signal }
    const { signal } = await run(['migrate'], cut)
    proxy.rest()
    const state = states.indexOf(await schemaAt(place, extent))
    const { code, stderr } = await run(['migrate'], { settings: { DB_URL: place } })
    const isDone = code === 0 && (await schemaAt(place, extent)) === states.at(-1)
    const saysWhere = code === 1 && /stopped half-way at statement \d+ of \d+/.test(stderr)
    const next = isDone ? 'did the rest' : saysWhere ? 'says where' : 'is at a loss'
    found.push({ state, isKilled: signal === 'SIGKILL', next })
  }
  return [told(found, { points, extent, last: states.length - 1 })]
}

function told(
  found: readonly Found[],
  { points, extent, last }: { points: number; extent: Extent; last: number },
): Tried {
  const isWhole = extent.database !== 'mysql'
  const counted = (is: (one: Found) => boolean) => found.filter(is).length
  const killed = counted(({ isKilled }) => isKilled)
  const between = counted(({ state }) => state === -1)
  const [rest, where, lost] = (['did the rest', 'says where', 'is at a loss'] as const).map(
    (what) => counted(({ next }) => next === what),
  )
  const reached = new Set(found.map(({ state }) => state)).size
  return {
    fault: `kill -9 during the service's own migrations, at ${points} points`,
    promise: isWhole
      ? 'each is before or after, never between; the next run does the rest'
      : 'the next run does the rest, or says where it stopped and what to do',
    measured:
      `${killed} killed, ${between} between (${reached} states of ${last + 1} met); ` +
      `the next run did the rest ${rest} times, said where ${where} times, and neither ${lost} times`,
    holds: killed > points / 2 && lost === 0 && (!isWhole || (between === 0 && where === 0)),
  }
}

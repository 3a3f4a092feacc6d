import type { Extent, Verdict } from '../tools/fault.ts'
import { run } from '../tools/servers.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { startDatabase } from './database-server.ts'
import { newDatabase, schemaAt, statesOfSchema } from './schema.ts'

interface Observation {
  /** How many migrations had run; -1 between two of them. */
  readonly state: number
  readonly isKilled: boolean
  readonly next: 'did the rest' | 'says where' | 'is at a loss'
}

/** kill -9 of `app migrate` at one message to the database after the other, on a new database each time. */
export async function migrationKilled(extent: Extent): Promise<readonly Verdict[]> {
  const points = extent.quick ? 12 : 60
  const database = await startDatabase(extent)
  const url = String(database.settings['DB_URL'])
  const proxy = await startCuttingProxy(database.port)
  const throughProxy = (url: string) => url.replace(`:${database.port}/`, `:${proxy.port}/`)
  const states = await statesOfSchema(url, extent)
  const referenceUrl = throughProxy(await newDatabase(url, 'whole', extent))
  await run(['migrate'], { settings: { DB_URL: referenceUrl } })
  const messages = proxy.messages
  const observations: Observation[] = []
  for (let point = 0; point < points; point++) {
    const pointUrl = await newDatabase(url, `point${point}`, extent)
    const killController = new AbortController()
    const at = 1 + Math.floor((point * (messages - 1)) / (points - 1))
    const when = point % 2 === 0 ? 'before it arrives' : 'before its answer'
    proxy.cutAt(at, when, () => killController.abort())
    const { signal } = await run(['migrate'], {
      settings: { DB_URL: throughProxy(pointUrl) },
      killSignal: killController.signal,
    })
    proxy.stopCutting()
    const state = states.indexOf(await schemaAt(pointUrl, extent))
    const { code, stderr } = await run(['migrate'], { settings: { DB_URL: pointUrl } })
    const isDone = code === 0 && (await schemaAt(pointUrl, extent)) === states.at(-1)
    const saysWhere = code === 1 && /stopped half-way at statement \d+ of \d+/.test(stderr)
    const next = isDone ? 'did the rest' : saysWhere ? 'says where' : 'is at a loss'
    observations.push({ state, isKilled: signal === 'SIGKILL', next })
  }
  return [verdict(observations, { points, extent, last: states.length - 1 })]
}

function verdict(
  observations: readonly Observation[],
  { points, extent, last }: { points: number; extent: Extent; last: number },
): Verdict {
  const isAtomic = extent.database !== 'mysql'
  const countWhere = (matches: (observation: Observation) => boolean) =>
    observations.filter(matches).length
  const killed = countWhere(({ isKilled }) => isKilled)
  const between = countWhere(({ state }) => state === -1)
  const [rest, where, lost] = (['did the rest', 'says where', 'is at a loss'] as const).map(
    (outcome) => countWhere(({ next }) => next === outcome),
  )
  const reachedStates = new Set(observations.map(({ state }) => state)).size
  return {
    fault: `kill -9 during the service's own migrations, at ${points} points`,
    promise: isAtomic
      ? 'each is before or after, never between; the next run does the rest'
      : 'the next run does the rest, or says where it stopped and what to do',
    figures:
      `${killed} killed, ${between} between (${reachedStates} states of ${last + 1} met); ` +
      `the next run did the rest ${rest} times, said where ${where} times, and neither ${lost} times`,
    isKept: killed > points / 2 && lost === 0 && (!isAtomic || (between === 0 && where === 0)),
  }
}

import { paths } from '../../../web/contract/paths.ts'
import { throttles } from '../../services/throttle.ts'
import { dropThrottles, keepPhoto, verifyEmails } from '../database/rows.ts'
import { faultsOf, pointed } from './json-schema.ts'
import { addToken, ask, withToken } from '../tokens.ts'
import type { ApiRoute, ApiRouteName } from '../../http/router.ts'
import type { Visit } from '../browser.ts'
import type { TestApp } from '../test-app.ts'

/** What `/api/openapi.json` says. */
export interface Documented {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly { readonly token: readonly string[] }[]
  readonly parameters?: readonly object[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Response {
  readonly $ref?: string
  readonly headers: Readonly<Record<string, object>>
  readonly content?: Content
}

interface Content {
  readonly 'application/json': { readonly schema: object }
}

export async function described(app: TestApp): Promise<Documented> {
  return (await app.browser().send('GET', '/api/openapi.json')).json as Documented
}

/** How a route is called so that it succeeds for Ann: at its own path and without a body, unless given here. */
interface Place {
  /** A path that names a row that exists. */
  readonly path?: string
  readonly sends?: {
    readonly right: object
    /** A body with a field that fails. */
    readonly wrong: object
  }
}

export type Places = Readonly<Partial<Record<ApiRouteName, Place>>>

interface Answered {
  readonly route: ApiRoute
  readonly visit: Visit
}

/** For each route: the statuses it answers with, those the document lists, and other differences from the document. */
export async function judged(routes: readonly ApiRoute[], places: Places = {}) {
  const { document, answers } = await askedInTurn(routes, places)
  return {
    seen: byName(routes, (route) => statusesOf(answers, route)),
    said: byName(routes, (route) => statusesSaid(document, route)),
    faults: [
      ...routes.flatMap((route) => unfitting(document, route, places)),
      ...answers.flatMap(({ route, visit }) => undocumented(document, route, visit)),
    ],
  }
}

function byName(routes: readonly ApiRoute[], statuses: (route: ApiRoute) => number[]) {
  return Object.fromEntries(routes.map((route) => [route.name, statuses(route)]))
}

/** What each route answers to a new account, to one that has all, without a token, without the ability, and so on. */
async function askedInTurn(routes: readonly ApiRoute[], places: Places) {
  const { app, user } = await withToken({ routes })
  // A token with every ability.
  const own = `Bearer ${await addToken(app, user, { abilities: ['*'] })}`
  const answers: Answered[] = []
  const askAll = async (authorization: string | undefined) => {
    for (const route of routes)
      for (const asked of waysToAsk(route, places))
        answers.push({ route, visit: await ask(app, authorization, asked) })
  }
  await askAll(own)
  await app.pass({ minutes: 1 })
  await verifyEmails(app.db, app.now())
  await keepPhoto(app.db, 'photos/a.png')
  await askAll(own)
  await askAll(undefined)
  await askAll(`Bearer ${await addToken(app, user, { abilities: [] })}`)
  const counted = routes.find(({ ability }) => ability !== null)
  if (counted) await useUp(app, own, waysToAsk(counted, places)[0])
  await askAll(own)
  await dropThrottles(app.db)
  await askAll(own)
  return { document: await described(app), answers }
}

/** Requests to a route: one that succeeds, one with a field that fails, and one for a row that does not exist. */
function waysToAsk({ name, method }: ApiRoute, places: Places): [Asking, ...Asking[]] {
  const { path = paths[name], sends } = places[name] ?? {}
  const right = { method, path, ...(sends && { body: sends.right }) }
  const nowhere = paths[name].replaceAll(/\{\w+\}/g, '999999999999999')
  return [
    right,
    ...(sends ? [{ ...right, body: sends.wrong }] : []),
    ...(nowhere === paths[name] ? [] : [{ ...right, path: nowhere }]),
  ]
}

type Asking = NonNullable<Parameters<typeof ask>[2]>

/** Sends as many requests as a token may in a minute. */
async function useUp(app: TestApp, own: string, asked: Asking) {
  const { limit } = throttles['api-requests']
  await Promise.all(Array.from({ length: limit }, () => ask(app, own, asked)))
}

function statusesOf(answers: readonly Answered[], { name }: ApiRoute): number[] {
  const own = answers.filter(({ route }) => route.name === name)
  return [...new Set(own.map(({ visit }) => visit.status))].toSorted((a, b) => a - b)
}

/** The statuses that the document lists, without those that `askedInTurn` cannot cause, as 500 without a token. */
function statusesSaid(document: Documented, route: ApiRoute): number[] {
  const left = new Set([413, 503, ...(route.ability === null ? [500] : [])])
  const listed = Object.keys(operationOf(document, route)?.responses ?? {})
  return listed.map(Number).filter((status) => status > 0 && !left.has(status))
}

function operationOf(
  { paths: all }: Documented,
  { name, method }: ApiRoute,
): Operation | undefined {
  return all[paths[name]]?.[method.toLowerCase()]
}

/** How the body of a successful request differs from the document. */
function unfitting(document: Documented, route: ApiRoute, places: Places): string[] {
  const sends = places[route.name]?.sends
  const schema = operationOf(document, route)?.requestBody?.content['application/json'].schema
  if (!sends && !schema) return []
  return schema
    ? faultsOf(sends?.right, schema, document, `the body of ${route.name}`)
    : [`${route.name} is not said to take a body`]
}

/** How an answer of a route differs from the document. */
function undocumented(document: Documented, route: ApiRoute, visit: Visit): string[] {
  const { name } = route
  const named = operationOf(document, route)?.responses[visit.status]
  if (!named) return [`${name} is not said to answer ${visit.status}`]
  const { headers, content } = (named.$ref ? pointed(named.$ref, document) : named) as Response
  const describedHeaders = Object.keys(headers).map((name) => name.toLowerCase())
  const wantedHeaders = [
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'retry-after',
    'www-authenticate',
  ]
  return [
    ...describedHeaders
      .filter((name) => !(name in visit.headers))
      .map((name) => `${name} is missing`),
    ...wantedHeaders
      .filter((name) => name in visit.headers && !describedHeaders.includes(name))
      .map((name) => `${name} is not described with ${visit.status}`),
    ...faultsOfBody(visit, content, document, name),
  ]
}

function faultsOfBody(
  visit: Visit,
  content: Content | undefined,
  document: Documented,
  name: string,
) {
  if (content) return faultsOf(visit.json, content['application/json'].schema, document, name)
  return visit.body === '' ? [] : [`the body of ${name} with ${visit.status} is not described`]
}

import { paths } from '../../../web/contract/paths.ts'
import { throttles } from '../../services/throttle.ts'
import { dropThrottles, setPhotoKey, verifyEmails } from '../database/rows.ts'
import { faultsOf, resolveReference } from './json-schema.ts'
import { addToken, callApi, appWithToken } from '../tokens.ts'
import type { ApiRoute, ApiRouteName } from '../../http/router.ts'
import type { Visit } from '../browser.ts'
import type { TestApp } from '../test-app.ts'

/** What `/api/openapi.json` says. */
export interface ApiDocument {
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

export async function apiDocument(app: TestApp): Promise<ApiDocument> {
  return (await app.browser().send('GET', '/api/openapi.json')).json as ApiDocument
}

/** How a route is called so that it succeeds for Ann: at its own path and without a body, unless given here. */
interface RouteCall {
  /** A path that names a row that exists. */
  readonly path?: string
  readonly body?: {
    readonly right: object
    /** A body with a field that fails. */
    readonly wrong: object
  }
}

export type RouteCalls = Readonly<Partial<Record<ApiRouteName, RouteCall>>>

interface Answered {
  readonly route: ApiRoute
  readonly visit: Visit
}

/** For each route: the statuses it answers with, those the document lists, and other differences from the document. */
export async function compareWithDocument(routes: readonly ApiRoute[], calls: RouteCalls = {}) {
  const { document, answers } = await callRoutes(routes, calls)
  return {
    observedStatuses: byName(routes, (route) => statusesOf(answers, route)),
    documentedStatuses: byName(routes, (route) => statusesDocumented(document, route)),
    faults: [
      ...routes.flatMap((route) => bodyDifferences(document, route, calls)),
      ...answers.flatMap(({ route, visit }) => responseDifferences(document, route, visit)),
    ],
  }
}

function byName(routes: readonly ApiRoute[], statuses: (route: ApiRoute) => number[]) {
  return Object.fromEntries(routes.map((route) => [route.name, statuses(route)]))
}

/** What each route answers to a new account, to one that has all, without a token, without the ability, and so on. */
async function callRoutes(routes: readonly ApiRoute[], calls: RouteCalls) {
  const { app, user } = await appWithToken({ routes })
  // A token with every ability.
  const ownerToken = `Bearer ${await addToken(app, user, { abilities: ['*'] })}`
  const answers: Answered[] = []
  const callAll = async (authorization: string | undefined) => {
    for (const route of routes)
      for (const call of callsOf(route, calls))
        answers.push({ route, visit: await callApi(app, authorization, call) })
  }
  await callAll(ownerToken)
  await app.pass({ minutes: 1 })
  await verifyEmails(app.db, app.now())
  await setPhotoKey(app.db, 'photos/a.png')
  await callAll(ownerToken)
  await callAll(undefined)
  await callAll(`Bearer ${await addToken(app, user, { abilities: [] })}`)
  const limitedRoute = routes.find(({ ability }) => ability !== null)
  if (limitedRoute) await exhaustLimit(app, ownerToken, callsOf(limitedRoute, calls)[0])
  await callAll(ownerToken)
  await dropThrottles(app.db)
  await callAll(ownerToken)
  return { document: await apiDocument(app), answers }
}

/** Requests to a route: one that succeeds, one with a field that fails, and one for a row that does not exist. */
function callsOf({ name, method }: ApiRoute, calls: RouteCalls): [Call, ...Call[]] {
  const { path = paths[name], body } = calls[name] ?? {}
  const right = { method, path, ...(body && { body: body.right }) }
  const missingRow = paths[name].replaceAll(/\{\w+\}/g, '999999999999999')
  return [
    right,
    ...(body ? [{ ...right, body: body.wrong }] : []),
    ...(missingRow === paths[name] ? [] : [{ ...right, path: missingRow }]),
  ]
}

type Call = NonNullable<Parameters<typeof callApi>[2]>

/** Sends as many requests as a token may in a minute. */
async function exhaustLimit(app: TestApp, own: string, call: Call) {
  const { limit } = throttles['api-requests']
  await Promise.all(Array.from({ length: limit }, () => callApi(app, own, call)))
}

function statusesOf(answers: readonly Answered[], { name }: ApiRoute): number[] {
  const own = answers.filter(({ route }) => route.name === name)
  return [...new Set(own.map(({ visit }) => visit.status))].toSorted((a, b) => a - b)
}

/** The statuses that the document lists, without those that `askedInTurn` cannot cause, as 500 without a token. */
function statusesDocumented(document: ApiDocument, route: ApiRoute): number[] {
  const excluded = new Set([413, 503, ...(route.ability === null ? [500] : [])])
  const listed = Object.keys(operationOf(document, route)?.responses ?? {})
  return listed.map(Number).filter((status) => status > 0 && !excluded.has(status))
}

function operationOf(
  { paths: documented }: ApiDocument,
  { name, method }: ApiRoute,
): Operation | undefined {
  return documented[paths[name]]?.[method.toLowerCase()]
}

/** How the body of a successful request differs from the document. */
function bodyDifferences(document: ApiDocument, route: ApiRoute, calls: RouteCalls): string[] {
  const sends = calls[route.name]?.body
  const schema = operationOf(document, route)?.requestBody?.content['application/json'].schema
  if (!sends && !schema) return []
  return schema
    ? faultsOf(sends?.right, schema, document, `the body of ${route.name}`)
    : [`${route.name} is not said to take a body`]
}

/** How an answer of a route differs from the document. */
function responseDifferences(document: ApiDocument, route: ApiRoute, visit: Visit): string[] {
  const { name } = route
  const named = operationOf(document, route)?.responses[visit.status]
  if (!named) return [`${name} is not said to answer ${visit.status}`]
  const { headers, content } = (
    named.$ref ? resolveReference(named.$ref, document) : named
  ) as Response
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
  document: ApiDocument,
  name: string,
) {
  if (content) return faultsOf(visit.json, content['application/json'].schema, document, name)
  return visit.body === '' ? [] : [`the body of ${name} with ${visit.status} is not described`]
}

import { expect, test } from 'vitest'
import { paths } from '../../../web/contract/paths.ts'
import { dropThrottles, keepPhoto, verifyEmails } from '../../testing/rows.ts'
import { sendRaw } from '../../testing/raw.ts'
import { faultsOf, pointed } from '../../testing/schema.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { addToken, ask, withToken } from '../../testing/tokens.ts'
import { apiRoutes } from '../routes.ts'
import { throttles } from '../../services/throttle.ts'
import type { ApiRoute, ApiRouteName } from '../router.ts'
import type { Visit } from '../../testing/browser.ts'

interface Documented {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly { readonly token: readonly string[] }[]
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly $ref?: string
  readonly headers: Readonly<Record<string, object>>
  readonly content: { readonly 'application/json': { readonly schema: object } }
}

async function described(app: TestApp): Promise<Documented> {
  return (await app.browser().send('GET', '/api/openapi.json')).json as Documented
}

/** Every operation of the document, as the route table has it. */
function operations({ paths }: Documented) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: name, security }]) => ({
      name,
      method: method.toUpperCase(),
      path,
      ability: security[0]?.token[0] ?? null,
    })),
  )
}

/** What of an answer of a route is not as the document says. */
function undocumented(document: Documented, { name, method }: ApiRoute, visit: Visit): string[] {
  const named = document.paths[paths[name]]?.[method.toLowerCase()]?.responses[visit.status]
  if (!named) return [`${name} is not said to answer ${visit.status}`]
  const { headers, content } = (named.$ref ? pointed(named.$ref, document) : named) as Response
  const told = Object.keys(headers).map((name) => name.toLowerCase())
  const telling = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'www-authenticate']
  return [
    ...told.filter((name) => !(name in visit.headers)).map((name) => `${name} is missing`),
    ...telling
      .filter((name) => name in visit.headers && !told.includes(name))
      .map((name) => `${name} is not described with ${visit.status}`),
    ...faultsOf(visit.json, content['application/json'].schema, document, name),
  ]
}

test('/api/openapi.json is public JSON of OpenAPI 3.1, whatever token comes', async () => {
  const app = await testApp()
  const visit = await ask(app, 'Bearer nonsense', { path: '/api/openapi.json' })
  expect(visit).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store, private' },
    json: { openapi: '3.1.0', servers: [{ url: 'http://app.test' }] },
  })
  expect(visit.headers).not.toHaveProperty('x-ratelimit-limit')
})

test('it promises JSON to requests that can be read, since others have an answer in plain text', async () => {
  const app = await testApp()
  const { info } = await described(app)
  const doubled = `GET /api/user HTTP/1.1\r\nHost: app.test\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n`
  const unread = await sendRaw(app.port, doubled)
  expect(unread).toMatchObject({
    status: 400,
    headers: { 'content-type': expect.stringMatching(/^text\/plain/) },
  })
  expect(info.description).toContain(
    'Every request that can be read as HTTP is answered with JSON;',
  )
  expect(info.description).not.toContain('Every answer')
})

test('it tells of what else a request is refused with, and each message what to do', async () => {
  const app = await testApp()
  const document = await described(app)
  const host = 'Host: app.test\r\n'
  const answers = await Promise.all([
    sendRaw(
      app.port,
      `POST /api/user HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    ),
    sendRaw(app.port, `GET /api/user?${'a'.repeat(8192)} HTTP/1.1\r\n${host}\r\n`),
    sendRaw(app.port, `GET /api/user HTTP/1.1\r\n${host}Expect: a pony\r\n\r\n`),
  ])
  const { responses } = document.paths['/api/user']?.['get'] ?? {}
  const { $ref = '' } = responses?.['default'] ?? {}
  const { content } = pointed($ref, document) as Response
  const bodies = answers.map(({ body }) => JSON.parse(body) as { message: string })
  const { schema } = content['application/json']
  expect(bodies.flatMap((body) => faultsOf(body, schema, document))).toEqual([])
  expect(answers.map(({ status }) => status)).toEqual([405, 414, 417])
  expect(bodies.map(({ message }) => message)).toEqual([
    expect.stringContaining('Allow'),
    expect.stringContaining('8 KiB'),
    expect.stringContaining('Expect'),
  ])
})

test('it describes every route of the API, with the ability it takes, and nothing else', async () => {
  const document = await described(await testApp())
  const table = apiRoutes.map(({ name, method, ability }) => ({
    name,
    method,
    path: paths[name],
    ability,
  }))
  expect(operations(document)).toEqual(table)
})

test('every route below /api/ is one of the API', () => {
  const below = Object.entries(paths).filter(([, path]) => path.startsWith('/api/'))
  expect(apiRoutes.map(({ name }) => name).toSorted()).toEqual(
    below.map(([name]) => name).toSorted(),
  )
})

test('every reference in it points somewhere, and every part of it is used', async () => {
  const document = await described(await testApp())
  const text = JSON.stringify(document)
  const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  const { components } = document as unknown as { components: Record<string, object> }
  const parts = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`))
  expect([...new Set(used)].toSorted()).toEqual(parts.toSorted())
  expect(components.securitySchemes).toHaveProperty('token.scheme', 'bearer')
})

/** Where each route is asked so that it answers 200 to Ann; what it tells of, `askedInTurn` puts there. */
const places: Readonly<Record<ApiRouteName, string>> = {
  'api.user': paths['api.user'],
  'api.openapi': paths['api.openapi'],
}

const whatATokenMayBeTold = [200, 401, 403, 429, 500]

test('what each route answers is as it says', async () => {
  const { document, answers } = await askedInTurn()
  const statuses = apiRoutes.map(({ name }) => [name, statusesOf(answers, name)])
  expect(
    statuses,
    'Each route is to answer all that it may: put what it tells of into `askedInTurn`, and where it is asked into `places`.',
  ).toEqual(
    apiRoutes.map(({ name, ability }) => [name, ability === null ? [200] : whatATokenMayBeTold]),
  )
  expect(answers.flatMap(({ route, visit }) => undocumented(document, route, visit))).toEqual([])
})

interface Answered {
  readonly route: ApiRoute
  readonly visit: Visit
}

/** What each route answers to a new account, to one that has all, without a token, without the ability, and so on. */
async function askedInTurn(): Promise<{ document: Documented; answers: readonly Answered[] }> {
  const { app, user } = await withToken()
  // Whatever a route wants.
  const token = await addToken(app, user, { abilities: ['*'] })
  const answers: Answered[] = []
  const askAll = async (authorization: string | undefined) => {
    for (const route of apiRoutes) {
      const asked = { method: route.method, path: places[route.name] }
      answers.push({ route, visit: await ask(app, authorization, asked) })
    }
  }
  const own = `Bearer ${token}`
  await askAll(own)
  await verifyEmails(app.db, app.now())
  await keepPhoto(app.db, 'photos/a.png')
  await askAll(own)
  await askAll(undefined)
  await askAll(`Bearer ${await addToken(app, user, { abilities: [] })}`)
  await Promise.all(Array.from({ length: throttles['api-requests'].limit }, () => ask(app, own)))
  await askAll(own)
  await dropThrottles(app.db)
  await askAll(own)
  return { document: await described(app), answers }
}

function statusesOf(answers: readonly Answered[], name: ApiRouteName): number[] {
  const own = answers.filter(({ route }) => route.name === name)
  return [...new Set(own.map(({ visit }) => visit.status))]
}

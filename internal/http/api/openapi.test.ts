import { expect, test } from 'vitest'
import { paths } from '../../../web/contract/paths.ts'
import {
  apiDocument,
  type ApiDocument,
  compareWithDocument,
  type RouteCalls,
  type Response,
} from '../../testing/formats/api-document.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { faultsOf, resolveReference } from '../../testing/formats/json-schema.ts'
import { testApp } from '../../testing/test-app.ts'
import { callApi } from '../../testing/tokens.ts'
import { apiRoutes } from '../routes.ts'

/** Lists the document's operations in the form of the route table. */
function operations({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: name, security }]) => ({
      name,
      method: method.toUpperCase(),
      path,
      ability: security[0]?.token[0] ?? null,
    })),
  )
}

test('/api/openapi.json is public JSON of OpenAPI 3.1, whatever token is sent', async () => {
  const app = await testApp()
  const visit = await callApi(app, 'Bearer nonsense', { path: '/api/openapi.json' })
  expect(visit).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store, private' },
    json: { openapi: '3.1.0', servers: [{ url: 'http://app.test' }] },
  })
  expect(visit.headers).not.toHaveProperty('x-ratelimit-limit')
})

test('the API document promises JSON only for requests that can be read as HTTP; others get plain text', async () => {
  const app = await testApp()
  const { info } = await apiDocument(app)
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

test('refusals before routing match the API document’s default response and say what to do', async () => {
  const app = await testApp()
  const document = await apiDocument(app)
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
  const { content } = resolveReference($ref, document) as Required<Response>
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

test('the API document describes every API route with its ability, and nothing else', async () => {
  const document = await apiDocument(await testApp())
  const table = apiRoutes.map(({ name, method, ability }) => ({
    name,
    method,
    path: paths[name],
    ability,
  }))
  expect(operations(document)).toEqual(table)
})

test('every path below /api/ has a route of the API', () => {
  const below = Object.entries(paths).filter(([, path]) => path.startsWith('/api/'))
  expect(apiRoutes.map(({ name }) => name).toSorted()).toEqual(
    below.map(([name]) => name).toSorted(),
  )
})

test('every reference in the API document resolves, and every component is referenced', async () => {
  const document = await apiDocument(await testApp())
  const text = JSON.stringify(document)
  const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  const { components } = document as unknown as { components: Record<string, object> }
  const parts = Object.entries(components)
    .filter(([section]) => section !== 'securitySchemes')
    .flatMap(([section, named]) =>
      Object.keys(named).map((name) => `#/components/${section}/${name}`),
    )
  expect([...new Set(used)].toSorted()).toEqual(parts.toSorted())
  expect(components.securitySchemes).toHaveProperty('token.scheme', 'bearer')
})

/** The IDs of path parameters, and the bodies of routes that take one. */
const places: RouteCalls = {}

test('each API route answers with the statuses and bodies that the API document describes', async () => {
  const {
    observedStatuses: seen,
    documentedStatuses: said,
    faults,
  } = await compareWithDocument(apiRoutes, places)
  expect(
    seen,
    'Each route is to answer all that it may: put what it tells of into `askedInTurn` of internal/testing/formats/api-document.ts, and where it is asked, and what it is sent, into `places`.',
  ).toEqual(said)
  expect(faults).toEqual([])
  expect(seen['api.user']).toEqual([200, 401, 403, 429, 500])
})

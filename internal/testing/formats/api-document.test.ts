import { expect, test } from 'vitest'
import { paths } from '../../../web/contract/paths.ts'
import { describe } from '../../http/api/openapi.ts'
import { type Operation, operations } from '../../http/api/operations.ts'
import { json, noContent } from '../../http/answer.ts'
import { apiAction } from '../../http/form/form.ts'
import { required } from '../../http/form/rules.ts'
import { apiDocument, compareWithDocument } from './api-document.ts'
import { testApp } from '../test-app.ts'
import type { ApiRoute, ApiRouteName } from '../../http/router.ts'

const naming: Operation = {
  summary: 'A name',
  description: 'Takes a name.',
  body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  status: 201,
  schema: { type: 'object', required: ['name'], properties: { name: { enum: ['Ann B.'] } } },
}

const named = apiAction({ name: [required] }, (_c, _token, { name }) => json(201, { name }))

/** An API with a route that writes, and its description. */
function writing(handler: ApiRoute['handler'], operation: Operation): ApiRoute[] {
  const routes: ApiRoute[] = [
    { method: 'POST', name: 'api.user', ability: 'user:read', handler },
    {
      method: 'GET',
      name: 'api.openapi',
      ability: null,
      handler: ({ app }) =>
        json(200, describe(app, routes, { ...operations, 'api.user': operation })),
    },
  ]
  return routes
}

const sending = { 'api.user': { body: { right: { name: 'Ann B.' }, wrong: {} } } }

test('a route that writes is checked against the body, statuses and response in its description', async () => {
  const {
    observedStatuses: seen,
    documentedStatuses: said,
    faults,
  } = await compareWithDocument(writing(named, naming), sending)
  expect(seen).toEqual({
    'api.user': [201, 401, 403, 422, 429, 500],
    'api.openapi': [200],
  })
  expect(said).toEqual(seen)
  expect(faults).toEqual([])
})

test('a route that answers 204 is described without a response body', async () => {
  const operation = { summary: 'Does it', description: 'Does it.', status: 204 } as const
  const {
    observedStatuses: seen,
    documentedStatuses: said,
    faults,
  } = await compareWithDocument(writing(() => noContent(), operation))
  expect(seen['api.user']).toEqual([204, 401, 403, 429, 500])
  expect(said).toEqual(seen)
  expect(faults).toEqual([])
})

test('a request body, response or status that differs from the description is reported', async () => {
  const other = { ...naming, status: 200, body: { type: 'array' } } as const
  const bodiless = { ...naming, body: undefined }
  const untold = apiAction({ name: [required] }, () => json(201, { name: 'Bob', id: 1 }))
  const found = await Promise.all([
    compareWithDocument(writing(named, other), sending),
    compareWithDocument(writing(named, bodiless), sending),
    compareWithDocument(writing(untold, naming), sending),
  ])
  expect(found.map(({ faults }) => [...new Set(faults)])).toEqual([
    [
      expect.stringMatching(/^the body of api.user must be array/),
      'api.user is not said to answer 201',
    ],
    ['api.user is not said to take a body', 'api.user is not said to answer 422'],
    [
      expect.stringMatching(/^api.user\/name must be equal to one of the allowed values/),
      expect.stringMatching(/^api.user must NOT have unevaluated properties: .*"id"/),
    ],
  ])
})

test('a path parameter is described as a required integer, with a 404 response', async () => {
  // The API's own paths have no parameters.
  const name = 'tokens.destroy' as string as ApiRouteName
  const row = { method: 'DELETE', name, ability: 'user:read', handler: () => noContent() } as const
  const operation = { summary: 'Ends it', description: 'Ends it.', status: 204 } as const
  const document = describe(await testApp(), [row], { ...operations, [name]: operation })
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  expect(document).toMatchObject({
    paths: {
      [paths['tokens.destroy']]: {
        delete: { parameters: [parameter], responses: { 204: {}, 404: {} } },
      },
    },
  })
})

test('query parameters are described, and a route without path parameters has no 404', async () => {
  const schema = { type: 'integer', minimum: 1 }
  const query = { page: { schema, description: 'Which page of the list, from 1.' } }
  const operation = { summary: 'A name', description: 'A name.', query, schema: {} }
  const document = await apiDocument(
    await testApp({ routes: writing(() => json(200, {}), operation) }),
  )
  const { parameters, responses } = document.paths['/api/user']?.['post'] ?? {}
  expect(parameters).toEqual([
    { name: 'page', in: 'query', schema, description: 'Which page of the list, from 1.' },
  ])
  expect(responses).not.toHaveProperty('404')
})

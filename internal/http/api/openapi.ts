import manifest from '../../../package.json' with { type: 'json' }
import { brandName } from '../../../web/brand/brand.ts'
import { paths } from '../../../web/contract/paths.ts'
import { throttles } from '../../services/throttle.ts'
import { type Operation, operations, type Operations } from './operations.ts'
import { components, every, message, rate } from './components.ts'
import type { App } from '../../app.ts'
import type { ApiRoute } from '../router.ts'

/** Builds the OpenAPI document of the service as configured. */
export function describe(
  { config }: App,
  rows: readonly ApiRoute[],
  operationsByName = operations,
): object {
  const byPath = Map.groupBy(rows, ({ name }) => paths[name])
  return {
    openapi: '3.1.0',
    info: { title: `${brandName} API`, version: manifest.version, description: about },
    servers: [{ url: config.origin }],
    paths: Object.fromEntries(
      [...byPath].map(([path, list]) => [path, methodsOf(list, operationsByName)]),
    ),
    components,
  }
}

const about =
  'Send an API token, made under Settings, API tokens, in the header Authorization: Bearer <token>. Each token has ' +
  `${throttles['api-requests'].limit} requests a minute. ` +
  'Every request that can be read as HTTP is answered with JSON; an answer that is no success has a message that says ' +
  'what to do. Ignore fields that are not described: there may be more of them later. Pages of the sites in CORS_ORIGINS may call the API; cookies count for nothing.'

function methodsOf(rows: readonly ApiRoute[], operationsByName: Operations): object {
  return Object.fromEntries(
    rows.map((row) => [row.method.toLowerCase(), described(row, operationsByName[row.name])]),
  )
}

function described({ name, ability }: ApiRoute, operation: Operation): object {
  const { summary, description, query = {}, body, status = 200, schema } = operation
  const parts = [...paths[name].matchAll(/\{(\w+)\}/g)].map(([, part = '']) => partOf(part))
  const queryParameters = Object.entries(query).map(([name, rest]) => ({
    name,
    in: 'query',
    ...rest,
  }))
  const parameters = [...parts, ...queryParameters]
  const headers = ability === null ? every : { ...rate, ...every }
  const missing = { description: 'There is nothing at this path.', headers, content: message }
  return {
    operationId: name,
    summary,
    description,
    // Abilities stand where OAuth has its scopes (OpenAPI 3.1, Security Requirement Object).
    security: ability === null ? [] : [{ token: [ability] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: asJson(body) } }),
    responses: {
      [status]: { description: summary, headers, ...(schema && { content: asJson(schema) }) },
      ...(ability !== null && refusals),
      ...(parts.length > 0 && { 404: missing }),
      ...(body && { 422: { description: 'Fields that fail.', headers, content: asJson(invalid) } }),
      ...faults,
    },
  }
}

/** Describes a path parameter; `id` is a row's (`internal/http/row-id.ts`). */
function partOf(name: string): object {
  const schema =
    name === 'id' ? { type: 'integer', format: 'int64', minimum: 1 } : { type: 'string' }
  return { name, in: 'path', required: true, schema }
}

function asJson(schema: object): object {
  return { 'application/json': { schema } }
}

const invalid = {
  title: 'Invalid',
  type: 'object',
  required: ['message', 'errors'],
  properties: {
    message: { type: 'string' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each field that fails.',
    },
  },
}

const refusals = {
  401: { $ref: '#/components/responses/Unauthorized' },
  403: { $ref: '#/components/responses/Forbidden' },
  429: { $ref: '#/components/responses/TooManyRequests' },
}

const faults = {
  413: { $ref: '#/components/responses/BodyTooLong' },
  500: { $ref: '#/components/responses/Failure' },
  503: { $ref: '#/components/responses/Busy' },
  default: { $ref: '#/components/responses/Refused' },
}

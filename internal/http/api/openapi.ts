import manifest from '../../../package.json' with { type: 'json' }
import { brandName } from '../../../web/brand/brand.ts'
import { appName } from '../../../web/contract/name.ts'
import { paths } from '../../../web/contract/paths.ts'
import { throttles } from '../../services/throttle.ts'
import { mostBytes } from '../body/form-limits.ts'
import type { Ability } from '../../../web/contract/abilities.ts'
import type { App } from '../../app.ts'
import type { ApiRoute, ApiRouteName } from '../router.ts'

/** What a program must know of a route of the API beside its row. A test holds it to what is answered. */
interface Operation {
  readonly summary: string
  readonly description: string
  /** Of the answer 200. */
  readonly schema: object
}

/** Each route of the API. One that is not described does not compile. */
const operations: Readonly<Record<ApiRouteName, Operation>> = {
  'api.user': {
    summary: 'The user whose token it is',
    description:
      'Name, email and photo of the account that the token was made in, whether its email is verified, and whether ' +
      'login takes a code.',
    schema: { $ref: '#/components/schemas/User' },
  },
  'api.openapi': {
    summary: 'This description',
    description: 'The API as OpenAPI 3.1. It takes no token.',
    schema: {
      type: 'object',
      required: ['openapi', 'info', 'servers', 'paths', 'components'],
      properties: {
        openapi: { type: 'string' },
        info: { type: 'object' },
        servers: { type: 'array', items: { type: 'object' } },
        paths: { type: 'object' },
        components: { type: 'object' },
      },
    },
  },
}

/** The OpenAPI document of the service as it is set up. */
export function describe({ config }: App, rows: readonly ApiRoute[]): object {
  const byPath = Map.groupBy(rows, ({ name }) => paths[name])
  return {
    openapi: '3.1.0',
    info: { title: `${brandName} API`, version: manifest.version, description: about },
    servers: [{ url: config.origin }],
    paths: Object.fromEntries([...byPath].map(([path, list]) => [path, methodsOf(list)])),
    components,
  }
}

const about =
  'Send an API token, made under Settings, API tokens, in the header Authorization: Bearer <token>. Each token has ' +
  `${throttles['api-requests'].limit} requests a minute. ` +
  'Every request that can be read as HTTP is answered with JSON; an answer that is no success has a message that says ' +
  'what to do. Ignore fields that are not described: there may be more of them later. Pages of the sites in CORS_ORIGINS may call the API; cookies count for nothing.'

function methodsOf(rows: readonly ApiRoute[]): object {
  return Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), described(row)]))
}

function described({ name, ability }: ApiRoute): object {
  const { summary, description, schema } = operations[name]
  const content = { 'application/json': { schema } }
  const ok = { description: summary, headers: headersOf(ability, every), content }
  return {
    operationId: name,
    summary,
    description,
    // What a token must allow stands where OAuth has its scopes (OpenAPI 3.1, Security Requirement Object).
    security: ability === null ? [] : [{ token: [ability] }],
    responses: { 200: ok, ...(ability !== null && refusals), ...faults },
  }
}

function headersOf(ability: Ability | null, others: object): object {
  return ability === null ? others : { ...rate, ...others }
}

const every = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }

const rate = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/X-RateLimit-Limit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/X-RateLimit-Remaining' },
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

const message = { 'application/json': { schema: { $ref: '#/components/schemas/Message' } } }
const retry = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

const retryAfter = header('integer', 'After how many seconds to try again.')

const components = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: `An API token: ${appName}_ and 52 of the letters a to z and the digits 2 to 7. It is shown once, as it is made.`,
    },
  },
  schemas: {
    User: {
      type: 'object',
      required: ['id', 'name', 'email', 'emailVerifiedAt', 'twoFactor', 'photo'],
      properties: {
        id: { type: 'integer', format: 'int64' },
        name: { type: 'string' },
        // RFC 6531: `email` is of ASCII alone, and programs that check by it would refuse some users.
        email: { type: 'string', format: 'idn-email' },
        emailVerifiedAt: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'In UTC. null until the email is verified.',
        },
        twoFactor: { type: 'boolean', description: 'Whether login takes a code.' },
        photo: {
          type: ['string', 'null'],
          format: 'uri',
          description:
            'The whole address of the photo, good until the end of the next day (UTC). It takes no token. Pages of ' +
            'the sites in CORS_ORIGINS load it by CORS, as an img with crossorigin. null without a photo.',
        },
      },
    },
    Message: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string', description: 'What is wrong, and what to do.' } },
    },
  },
  headers: {
    'X-RateLimit-Limit': header('integer', 'How many requests a minute the token has.'),
    'X-RateLimit-Remaining': header('integer', 'How many of them are left in this minute.'),
    'Retry-After': retryAfter,
    'X-Request-Id': header('string', 'Names the request in the log of the service.'),
    'WWW-Authenticate': header('string', 'Bearer.'),
  },
  responses: {
    Unauthorized: {
      description: 'No token came, or it has expired, was revoked or never was.',
      headers: {
        'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' },
        ...every,
      },
      content: message,
    },
    Forbidden: {
      description: 'The token lacks the ability.',
      headers: { ...rate, ...every },
      content: message,
    },
    TooManyRequests: {
      description: 'The token had its requests of this minute.',
      headers: { ...rate, ...retry, ...every },
      content: message,
    },
    BodyTooLong: {
      description: `The request has a body of more than ${mostBytes / 1024} KiB.`,
      headers: every,
      content: message,
    },
    Refused: {
      description:
        'A request that is not as described here: of another method (405, with Allow), of a path beyond 8 KiB (414), ' +
        'with an Expect that is unknown (417), without a Host or for another protocol (400).',
      headers: every,
      content: message,
    },
    Failure: {
      description: 'The service failed, and has noted it.',
      headers: every,
      content: message,
    },
    Busy: {
      description:
        'The service is busy, or cannot use its database. Without Retry-After it is not known whether a change was made.',
      headers: { 'Retry-After': { ...retryAfter, required: false }, ...every },
      content: message,
    },
  },
}

function header(type: string, description: string): object {
  return { description, required: true, schema: { type } }
}

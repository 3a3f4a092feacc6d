import { appName } from '../../../web/contract/name.ts'
import { mostBytes } from '../body/form-limits.ts'

/** The headers of every answer. */
export const every = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }

/** The headers of an answer to a request with a token. */
export const rate = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/X-RateLimit-Limit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/X-RateLimit-Remaining' },
}

/** The content of an error answer. */
export const message = { 'application/json': { schema: { $ref: '#/components/schemas/Message' } } }
const retry = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

const retryAfter = header('integer', 'After how many seconds to try again.')

/** Shared parts that operations refer to, such as schemas. */
export const components = {
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
        // RFC 6531: `email` allows ASCII only, and programs that validate by it would reject some users.
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

import { plural } from './plural.ts'

// Programs read these words, so they are in English whatever language the token's owner has chosen.

/** The `message` of an API answer that refuses a token. */
export const apiWords = {
  noToken:
    'Send an API token in the header Authorization: Bearer <token>. You can make one under Settings, API tokens.',
  unknownToken:
    'This API token is not valid: it has expired, was revoked or is mistyped. Make another one under Settings, API tokens.',
  lacks: (ability: string) =>
    `This API token lacks the ability ${ability}. Make one that has it under Settings, API tokens.`,
  wait: (seconds: number) =>
    plural('en', seconds, {
      one: 'Too many requests with this API token. Try again in # second.',
      other: 'Too many requests with this API token. Try again in # seconds.',
    }),
} as const

/**
 * The `message` of other API errors, by status. `away`: the database is unavailable. `inDoubt`: it is unknown
 * whether a change was committed. Any other status has the message of 400.
 */
export const apiErrors = {
  400: 'The request cannot be read. Send it as /api/openapi.json describes.',
  404: 'There is nothing at this path. See /api/openapi.json for the paths that there are.',
  405: 'This path does not take this method. The header Allow names those that it takes.',
  413: 'The body is too long. Send at most 64 KiB.',
  414: 'The path and its query are too long. Send at most 8 KiB.',
  415: 'The body is of a type that is not taken here. The header Accept names those that are.',
  417: 'What the header Expect asks for is not done here. Leave it out.',
  500: 'The fault is on our side, and it has been noted. Try again in a moment.',
  501: 'The body is coded in a way that is not taken here. Send it as it is, with Content-Length or in chunks.',
  503: 'The service is busy. Wait as many seconds as the header Retry-After says, and try again.',
  away: 'The service cannot use its database just now. Wait as many seconds as the header Retry-After says, and try again.',
  inDoubt:
    'The database did not answer as it kept the change, so it is not known whether it did. Look before you send it again.',
} as const

import type { ApiRouteName } from '../router.ts'

interface QueryPart {
  readonly schema: object
  readonly description: string
}

/** What a program must know of an API route beside its row. A test compares it with the real answers. */
export type Operation = {
  readonly summary: string
  readonly description: string
  /** Query parameters by name: JSON schema and effect. All are optional. */
  readonly query?: Readonly<Record<string, QueryPart>>
  /** JSON schema of the fields, if there are any: invalid ones are a 422 by `apiAction`. */
  readonly body?: object
} & (
  | {
      /** The status of success; default 200. */
      readonly status?: 200 | 201
      /** JSON schema of the successful answer. */
      readonly schema: object
    }
  | { readonly status: 204; readonly schema?: undefined }
)

export type Operations = Readonly<Record<ApiRouteName, Operation>>

/** The operation of each API route; a missing one does not compile. */
export const operations: Operations = {
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

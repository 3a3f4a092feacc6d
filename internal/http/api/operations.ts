import type { ApiRouteName } from '../router.ts'

interface QueryPart {
  readonly schema: object
  readonly description: string
}

/** What a program must know of a route of the API beside its row. A test holds it to what is answered. */
export type Operation = {
  readonly summary: string
  readonly description: string
  /** What the query may say, by name: its JSON schema, and what comes of it. A call may leave out each of them. */
  readonly query?: Readonly<Record<string, QueryPart>>
  /** JSON schema of the fields that are sent, where any are: those that fail are a 422, as `apiAction` has it. */
  readonly body?: object
} & (
  | {
      /** The status of success: 200 unless it is said. */
      readonly status?: 200 | 201
      /** JSON schema of the answer with it. */
      readonly schema: object
    }
  | { readonly status: 204; readonly schema?: undefined }
)

export type Operations = Readonly<Record<ApiRouteName, Operation>>

/** Each route of the API. One that is not described does not compile. */
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

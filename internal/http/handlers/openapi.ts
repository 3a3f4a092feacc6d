import { json } from '../answer.ts'
import { describe } from '../api/openapi.ts'
import type { Handler } from '../form.ts'

/** The API as programs read it: OpenAPI 3.1. */
export const describeApi: Handler = (c) => json(200, describe(c.app))

import { type Answer, json } from '../answer.ts'
import { describe } from '../api/openapi.ts'
import type { Arrived } from '../arrived.ts'
import type { ApiRoute } from '../router.ts'

/** Answers with the API's OpenAPI 3.1 document. */
export function describeApi({ app }: Arrived, routes: readonly ApiRoute[]): Answer {
  return json(200, describe(app, routes))
}

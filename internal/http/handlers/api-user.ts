import { json } from '../answer.ts'
import { pageUser } from '../page/page.ts'
import type { User } from '../../db/users.ts'
import type { Answer } from '../answer.ts'
import type { Call } from '../api/call.ts'

/** Answers with the token's user (contract: Names). */
export async function showUser(c: Call, user: User): Promise<Answer> {
  const { password: _, photo, ...publicUser } = await pageUser(c.app, user)
  // Absolute: a program has no page to resolve a relative link against.
  const link = photo === null ? null : new URL(photo, c.app.config.origin).href
  return json(200, { ...publicUser, photo: link })
}

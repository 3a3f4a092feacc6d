import { json } from '../answer.ts'
import { pageUser } from '../page/page.ts'
import type { User } from '../../db/users.ts'
import type { Answer } from '../answer.ts'
import type { Call } from '../api/call.ts'

/** The user whose token it is (contract: Names). */
export async function showUser(c: Call, user: User): Promise<Answer> {
  const { password: _, photo, ...publicUser } = await pageUser(c.app, user)
  // Whole: a program has no page that the path of a link would begin at.
  const link = photo === null ? null : new URL(photo, c.app.config.origin).href
  return json(200, { ...publicUser, photo: link })
}

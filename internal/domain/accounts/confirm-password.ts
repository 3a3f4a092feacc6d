import { throttleAddress } from '../../base/address.ts'
import { clear, take } from '../../services/throttle.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'

export type Confirmation =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | { result: 'right' }

/** Checks that a logged-in user knows the password, counting the try first (spec: Confirm password). */
export async function confirmPassword(
  app: App,
  user: Pick<User, 'id' | 'passwordHash'>,
  { password, address }: { password: string; address: string },
): Promise<Confirmation> {
  const seconds = await take(app, 'passwords', String(user.id))
  if (seconds !== undefined) return { result: 'wait', seconds }
  const by = throttleAddress(address)
  const { right } = await app.passwords.checkPassword(user.passwordHash, password, by)
  if (!right) return { result: 'wrong' }
  await app.db.transaction((tx) => clear(tx, 'passwords', String(user.id)))
  return { result: 'right' }
}

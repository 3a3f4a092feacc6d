import { throttleAddress } from '../../base/address.ts'
import { clear, take } from '../../services/throttle.ts'
import { confirmPasskey } from '../passkeys/confirm.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'
import type { Given, Refused } from '../passkeys/given.ts'

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

export type PasskeyConfirmation =
  | { result: 'wait'; seconds: number }
  | Refused
  | { result: 'right' }

/** The same, with one of the passkeys that the user has. It counts with the passwords. */
export async function confirmWithPasskey(
  app: App,
  user: Pick<User, 'id' | 'passkeyHandle'>,
  given: Given,
): Promise<PasskeyConfirmation> {
  const by = String(user.id)
  const seconds = await take(app, 'passwords', by)
  if (seconds !== undefined) return { result: 'wait', seconds }
  return confirmPasskey(app, user, given, (tx) => clear(tx, 'passwords', by))
}

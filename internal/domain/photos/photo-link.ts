import { pathOf, paths } from '../../../web/contract/paths.ts'
import {
  checkSignedToken,
  endOfSignedToken,
  makeSignedToken,
} from '../../base/crypto/signed-token.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { day } from '../../base/time-units.ts'
import type { App } from '../../app.ts'

/**
 * Returns the link by which a browser fetches a photo. It is signed, valid until the end of the next day
 * (UTC), and the same all day, so that browsers need not fetch the photo again (spec: Limits).
 */
export async function photoLink(app: App, key: string): Promise<string> {
  const now = app.now()
  const elsewhere = await app.files.link(key, now)
  if (elsewhere !== undefined) return elsewhere
  const endsAt = new Date(Math.floor((now.getTime() + lifetimes.photo) / day) * day)
  return `${pathOf(paths.files, { key })}?token=${makeSignedToken(app.keys, 'photo', { fields: [key], endsAt })}`
}

/** Returns how many seconds a link to a file is still valid; undefined if it is not. */
export function linkHolds(
  { keys, now }: Pick<App, 'keys' | 'now'>,
  { key, token }: { key: string; token: string },
): number | undefined {
  if (!checkSignedToken(keys, 'photo', { fields: [key], token, now: now() })) return undefined
  return endOfSignedToken(token).getTime() / 1000 - Math.floor(now().getTime() / 1000)
}

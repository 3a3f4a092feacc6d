import type { BrowserContext } from 'playwright-core'
import { appName } from '../../../web/contract/name.ts'
import { makeKeys } from '../../base/crypto/keys.ts'

/** A key known to a test of the executable. */
export const knownKey = Buffer.alloc(32, 'known')

/** Ages the last confirmation of a browser's person through its session cookie; the app must have the known APP_KEY. */
export async function lapseConfirmation(context: BrowserContext): Promise<void> {
  const keys = makeKeys([knownKey])
  const cookies = await context.cookies()
  const cookie = cookies.find(({ name }) => name === `${appName}_session`)
  const opened = cookie && keys.open('session', '', cookie.value)
  if (!opened) throw new Error('The browser has no session that the known key opens.')
  const { at, session } = JSON.parse(opened.text) as { at: number; session: object }
  const text = JSON.stringify({ at, session: { ...session, confirmedAt: 0 } })
  await context.addCookies([{ ...cookie, value: keys.seal('session', '', text) }])
}

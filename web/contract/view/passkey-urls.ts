import { pathOf, paths } from '../paths.ts'
import type { Pages } from '../pages.ts'

/** Returns where to send a new account's passkey and get its options. The token covers email and name. */
export function passkeyUrls({ email, name, token }: Pages['Auth/RegisterPasskey']) {
  const query = new URLSearchParams({ email, name })
  return {
    store: `${pathOf(paths['register.passkey.store'], { token })}?${query}`,
    options: `${pathOf(paths['register.passkey.options'], { token })}?${query}`,
  }
}

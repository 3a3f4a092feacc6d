import { pathOf, paths } from '../paths.ts'
import type { Pages } from '../pages.ts'

/** Where the passkey of a new account is asked for and sent to: as in the link, whose token is over email and name. */
export function passkeyLink({ email, name, token }: Pages['Auth/RegisterPasskey']) {
  const query = new URLSearchParams({ email, name })
  return {
    store: `${pathOf(paths['register.passkey.store'], { token })}?${query}`,
    options: `${pathOf(paths['register.passkey.options'], { token })}?${query}`,
  }
}

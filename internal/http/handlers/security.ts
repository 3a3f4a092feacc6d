import { passkeys } from '#db/passkeys'
import { browserName } from '../../../web/contract/words/browser-name.ts'
import { listLogins, type LoggedIn } from '../../domain/logins/browsers.ts'
import { page } from '../page.ts'
import { loginEnded } from '../reply.ts'
import type { BrowserLogin, Passkey } from '../../../web/contract/pages.ts'
import type { Passkey as PasskeyRow } from '../../db/passkeys.ts'
import type { Handler } from '../form.ts'

/** Where the account is logged in from, and by what (spec: Settings). */
export const showSecurity: Handler = async (c) => {
  const { visitor, session } = c
  if (!visitor || !session.login) return loginEnded(c)
  const { id, twoFactorSecret } = visitor.user
  const [logins, keys] = await Promise.all([
    listLogins(c.app, session.login),
    passkeys.ofUser(c.app.db, id),
  ])
  return page(c, 'Settings/Security', {
    logins: logins.map(shownLogin),
    passkeys: keys.map(shownPasskey),
    twoFactor: { enabled: twoFactorSecret !== null, setup: null },
  })
}

function shownLogin({
  id,
  names,
  address,
  loggedInAt,
  lastSeenAt,
  isCurrent,
}: LoggedIn): BrowserLogin {
  return {
    id,
    browser: browserName(names),
    address,
    loggedInAt: loggedInAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: isCurrent,
  }
}

function shownPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

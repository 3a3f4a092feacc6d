import { passkeys } from '#db/passkeys'
import { tokens } from '#db/tokens'
import { providerOf } from '../../../base/webauthn/providers.ts'
import { listLogins, type LoggedIn } from '../../../domain/logins/logged-in-browsers.ts'
import { passkeysSignal } from '../../../domain/passkeys/signals.ts'
import { codeMarks, readCodes } from '../../../domain/two-factor/codes.ts'
import { setUpOf } from '../../../domain/two-factor/set-up.ts'
import { Optional, page } from '../../page/page.ts'
import type { BrowserLogin, Passkey } from '../../../../web/contract/pages.ts'
import type { TwoFactor } from '../../../../web/contract/two-factor.ts'
import type { App } from '../../../app.ts'
import type { Passkey as PasskeyRow } from '../../../db/passkeys.ts'
import type { User } from '../../../db/users.ts'
import type { UserContext } from '../../context.ts'
import type { Handler } from '../../form/form.ts'

/** Shows where the account is logged in, and its ways in (spec: Settings). */
export const showSecurity: Handler<UserContext> = async (c) => {
  const { user, login } = c.visitor
  const [logins, keys, apiTokens] = await Promise.all([
    listLogins(c.app, login),
    passkeys.ofUser(c.app.db, user.id),
    tokens.count(c.app.db, user.id),
  ])
  const twoFactor = shownTwoFactor(c.app, user, c.session.setup)
  c.tellsSecret = twoFactor.setup !== null
  return page(c, 'Settings/Security', {
    logins: logins.list.map((login) => shownLogin(c, login)),
    moreLogins: logins.areMore,
    passkeys: keys.map(shownPasskey),
    apiTokens,
    signal: passkeysSignal(c.app, user, keys),
    twoFactor,
    recoveryCodes: new Optional(() => readCodes(c.app, user)),
  })
}

/** `setup`: the secret being set up. */
function shownTwoFactor(app: App, user: User, setup: string | undefined): TwoFactor {
  if (user.twoFactorSecret !== null) {
    const marks = codeMarks(app, user)
    const codesSaved = user.recoveryCodesSavedAt !== null
    return { enabled: true, setup: null, codeMarks: marks, codesLeft: marks.length, codesSaved }
  }
  const setupDetails = setup === undefined ? null : setUpOf(setup, user.email)
  return { enabled: false, setup: setupDetails, codeMarks: [], codesLeft: null, codesSaved: false }
}

function shownLogin(
  { words }: UserContext,
  { id, names, device, address, loggedInAt, lastSeenAt, isCurrent }: LoggedIn,
): BrowserLogin {
  return {
    id,
    browser: words.browserName(names),
    address,
    loggedInAt: loggedInAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    current: isCurrent,
    device,
  }
}

function shownPasskey({ aaguid, backedUp, createdAt, lastUsedAt, ...row }: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    provider: providerOf(aaguid) ?? null,
    synced: backedUp,
  }
}

import { paths } from '../../../../web/contract/paths.ts'
import { abilities } from '../../../../web/contract/abilities.ts'
import { tokenDays } from '../../../../web/contract/limits.ts'
import { isAbility } from '../../../domain/tokens/abilities.ts'
import * as making from '../../../domain/tokens/make-token.ts'
import * as own from '../../../domain/tokens/manage-tokens.ts'
import { Refusal } from '../../answer.ts'
import { listOf } from '../../body/fields.ts'
import { action, type Handler, type Rule } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { page } from '../../page/page.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { loginEnded, redirect } from '../../reply.ts'
import { rowIdIn } from '../../row-id.ts'
import { oneOf, personName, required } from '../../form/rules.ts'
import type { ApiToken } from '../../../../web/contract/pages.ts'
import type { Fields } from '../../body/fields.ts'
import type { UserContext } from '../../context.ts'

/** Lists the user's API tokens, with the form for another (spec: Settings). */
export const showTokens: Handler<UserContext> = async (c) => {
  const { user } = c.visitor
  const tokens = await own.listTokens(c.app, user.id)
  return page(c, 'Settings/Tokens', {
    tokens: tokens.map(shownToken),
    expired: tokens.filter(({ isExpired }) => isExpired).map(({ id }) => id),
    abilities,
    tryAt: c.app.config.origin + paths['api.user'],
  })
}

function shownToken({ id, name, abilities, ...times }: own.OwnToken): ApiToken {
  return {
    id,
    name,
    abilities,
    expiresAt: times.expiresAt?.toISOString() ?? null,
    lastUsedAt: times.lastUsedAt?.toISOString() ?? null,
    createdAt: times.createdAt.toISOString(),
  }
}

const someAbilities: Rule = (_, { c, fields }) => {
  const chosen = sentAbilities(fields)
  if (chosen.length === 0) return c.words.errors.abilityMissing
  return chosen.every(isAbility) ? undefined : c.words.errors.abilityUnknown
}

const tokenForm = {
  name: [required, personName],
  abilities: [someAbilities],
  expiry: [oneOf(Object.keys(tokenDays), 'expiryUnknown')],
}

/** Makes a token, shown once, on the next page. */
export const storeToken = action(tokenForm, async (c: UserContext, { name, expiry }, fields) => {
  const { login } = c.visitor
  if (!making.isExpiry(expiry)) throw new Refusal(422)
  const chosen = abilities.filter((ability) => sentAbilities(fields).includes(ability))
  const outcome = await making.makeToken(c.app, login, { name, abilities: chosen, expiry })
  switch (outcome.result) {
    case 'wait':
      return tooManyTries(c, 'name', outcome.seconds)
    case 'full':
      return invalid(c, { name: c.words.errors.tokensFull })
    case 'ended':
      return loginEnded(c)
    case 'made': {
      const { id: tokenId, token } = outcome
      logAccount(c, 'token made', login.userId, { token: tokenId })
      return redirect(c, paths['tokens.index'], {
        success: c.words.flash.tokenMade,
        token,
        tokenId,
      })
    }
  }
})

/** Revokes a token at once. Idempotent: the form may be sent twice. */
export const revokeToken = action({}, async (c: UserContext) => {
  const id = rowIdIn(c)
  const { login } = c.visitor
  const { result } = await own.revokeToken(c.app, login, id)
  switch (result) {
    case 'ended':
      return loginEnded(c)
    case 'none':
      throw new Refusal(404)
    case 'revoked':
    case 'was revoked':
      if (result === 'revoked') logAccount(c, 'token revoked', login.userId, { token: id })
      return redirect(c, paths['tokens.index'], { success: c.words.flash.tokenRevoked })
  }
})

/** Returns the abilities sent. A form with none chosen may send an empty field. */
function sentAbilities(fields: Fields): readonly unknown[] {
  return listOf(fields, 'abilities').filter((ability) => ability !== '' && ability !== null)
}

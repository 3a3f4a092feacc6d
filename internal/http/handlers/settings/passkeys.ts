import { renameField } from '../../../../web/contract/rename-field.ts'
import * as adding from '../../../domain/passkeys/add.ts'
import * as own from '../../../domain/passkeys/manage-passkeys.ts'
import { Refusal } from '../../answer.ts'
import { action, type Handler } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { passkeysPage } from '../../form/own-page.ts'
import { sendOptions, optionsHandler, answerIn, passkeyRefusal } from '../../passkey-exchange.ts'
import { invalid } from '../../form/failed-form.ts'
import { loginEnded, redirect, refuse } from '../../reply.ts'
import { rowIdIn } from '../../row-id.ts'
import { passkeyAnswer, personName, required } from '../../form/rules.ts'
import type { UserContext } from '../../context.ts'

/** Returns options for making a passkey for the user (spec: Settings). */
export const addOptions = optionsHandler(async (c: UserContext) => {
  const { login } = c.visitor
  const outcome = await adding.addOptions(c.app, login)
  switch (outcome.result) {
    case 'absent':
      return refuse(c, passkeysPage(c), c.words.errors.passkeysAbsent)
    case 'full':
      return refuse(c, passkeysPage(c), c.words.errors.passkeysFull)
    case 'ended':
      return loginEnded(c)
    case 'options':
      return sendOptions(c, outcome.options)
  }
})

/** Stores the new passkey, and notifies the user. */
export const addPasskey = action(
  { name: [personName], credential: [passkeyAnswer] },
  async (c: UserContext, { name }) => {
    const { login } = c.visitor
    const added = await adding.addPasskey(c.app, login, answerIn(c), {
      name,
      browser: c.browser,
    })
    switch (added.result) {
      case 'refused':
        return invalid(c, { credential: passkeyRefusal(c, added) })
      case 'taken':
        return invalid(c, { credential: c.words.errors.passkeyTaken })
      case 'full':
        return refuse(c, passkeysPage(c), c.words.errors.passkeysFull)
      case 'ended':
        return loginEnded(c)
      case 'added':
        logAccount(c, 'passkey added', login.userId, { passkey: added.id })
        return redirect(c, passkeysPage(c), { success: c.words.flash.passkeyAdded })
    }
  },
)

/** Renames a passkey. The field is named by `renameField`, so that its error stands in that passkey's dialog. */
export const renamePasskey: Handler<UserContext> = (c) => {
  const id = rowIdIn(c)
  const field = renameField(id)
  const rename = action(
    { [field]: [required, personName] },
    async (c: UserContext, { [field]: name = '' }) => {
      const { login } = c.visitor
      const { result } = await own.renamePasskey(c.app, login, { id, name })
      switch (result) {
        case 'ended':
          return loginEnded(c)
        case 'none':
          throw new Refusal(404)
        case 'renamed':
          logAccount(c, 'passkey renamed', login.userId, { passkey: id })
          return redirect(c, passkeysPage(c), { success: c.words.flash.passkeyRenamed })
      }
    },
  )
  return rename(c)
}

/** Removes a passkey, unless it is the only way in to an account without a password. */
export const removePasskey = action({}, async (c: UserContext) => {
  const id = rowIdIn(c)
  const { login } = c.visitor
  const { result } = await own.removePasskey(c.app, login, id)
  switch (result) {
    case 'ended':
      return loginEnded(c)
    case 'none':
      throw new Refusal(404)
    case 'last':
      return refuse(c, passkeysPage(c), c.words.errors.lastWayIn)
    case 'removed':
    case 'was removed':
      if (result === 'removed') logAccount(c, 'passkey removed', login.userId, { passkey: id })
      return redirect(c, passkeysPage(c), { success: c.words.flash.passkeyRemoved })
  }
})

import { paths } from '../../../../web/contract/paths.ts'
import * as accounts from '../../../domain/accounts/register-passkey.ts'
import { newRegistration } from '../../../domain/passkeys/first-passkey.ts'
import { action, type Handler } from '../../form/form.ts'
import { rememberMail } from '../../form/mail-sent.ts'
import { agreementLinks } from '../../page/agreement-links.ts'
import { page } from '../../page/page.ts'
import { sendOptions, optionsHandler, answerIn, passkeyRefusal } from '../../passkey-exchange.ts'
import { invalid } from '../../form/failed-form.ts'
import { redirect, refuse } from '../../reply.ts'
import { email, freeEmail, passkeyAnswer, personName, required } from '../../form/rules.ts'
import { beginAccount } from '../../session/begin-session.ts'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'

/** Mails a link for making the passkey; answers the same when throttled. */
export const askRegistration = action(
  { name: [required, personName], email: [required, email, freeEmail] },
  async (c, form) => {
    const next = await accounts.askRegistration(c.app, form, c.browser)
    rememberMail(c, 'register', { fields: form, next })
    return redirect(c, paths.register, { success: c.words.flash.registrationSent })
  },
)

/** Shows the mailed link's page: only the passkey makes the account, so opening it uses nothing up. */
export const showRegisterPasskey: Handler = async (c) => {
  const link = linkOf(c)
  const judged = await accounts.judgeLink(c.app, link)
  return judged === 'good'
    ? page(c, 'Auth/RegisterPasskey', { ...link, ...agreementLinks(c) })
    : refuseLink(c, judged)
}

/** Returns options for making the passkey. */
export const registrationOptions = optionsHandler(async (c) => {
  const link = linkOf(c)
  const judged = await accounts.judgeLink(c.app, link)
  if (judged !== 'good') return refuseLink(c, judged)
  const options = await newRegistration(c.app, link)
  return options
    ? sendOptions(c, options)
    : refuse(c, paths.register, c.words.errors.passkeysAbsent)
})

/** Makes the account with the new passkey, and logs in (spec: Register with a passkey). */
export const registerWithPasskey = action({ credential: [passkeyAnswer] }, async (c) => {
  const outcome = await accounts.registerWithPasskey(c.app, linkOf(c), answerIn(c), c.browser)
  switch (outcome.result) {
    case 'over':
    case 'done':
      return refuseLink(c, outcome.result)
    case 'refused':
      return invalid(c, { credential: passkeyRefusal(c, outcome) })
    case 'taken':
      return invalid(c, { credential: c.words.errors.passkeyTaken })
    case 'made':
      return beginAccount(c, outcome.login, 'passkey')
  }
})

function linkOf(c: Context): accounts.RegistrationLink {
  const query = new URLSearchParams(c.search)
  const { token = '' } = c.params
  return { email: query.get('email') ?? '', name: query.get('name') ?? '', token }
}

function refuseLink(c: Context, judged: 'over' | 'done'): Answer {
  return judged === 'done'
    ? refuse(c, paths.login, c.words.flash.registrationDone)
    : refuse(c, paths.register, c.words.flash.registrationOver)
}

import { isLanguage, languageNames } from '../../../web/contract/languages.ts'
import { paths } from '../../../web/contract/paths.ts'
import { chooseLanguage } from '../../domain/accounts/choose-language.ts'
import { Refusal } from '../answer.ts'
import { action } from '../form/form.ts'
import { hasUser } from '../guards.ts'
import { cameFrom, loginEnded, redirect } from '../reply.ts'
import { oneOf } from '../form/rules.ts'

const languageForm = { language: [oneOf(languageNames, 'languageUnknown')] }

/** Saves the chosen language in this browser and, for a user, with the account. */
export const updateLanguage = action(languageForm, async (c, { language }) => {
  if (!isLanguage(language)) throw new Refusal(422)
  if (hasUser(c)) {
    const { result } = await chooseLanguage(c.app, c.visitor.login, language)
    if (result === 'ended') return loginEnded(c)
  }
  c.chosenLanguage = language
  return redirect(c, cameFrom(c, paths.home))
})

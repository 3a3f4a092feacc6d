import { browserName } from './format/browser-name.ts'
import { descriptions } from './descriptions.ts'
import { errorPages } from './error.ts'
import { errorWords, tryAgainIn } from './errors.ts'
import { flashWords } from './flash.ts'
import { footer } from './footer.ts'
import { guardWords } from './guards.ts'
import { lines } from './lines.ts'
import {
  mailLayout,
  registrationMail,
  resetMail,
  setPasswordMail,
  verifyMail,
} from './mails/mails.ts'
import { noticeMails } from './mails/notice-mails.ts'
import { titles as app } from './titles/app.ts'
import { titles as card } from './titles/card.ts'
import { titles as login } from './titles/login.ts'
import { titles as none } from './titles/none.ts'
import { titles as settings } from './titles/settings.ts'

import type { serverWords as en } from '../en/server.ts'
import type { Translated } from '../translated.ts'

/** The words that the server itself needs. Pages import theirs from their own files. */
export const serverWords: Translated<typeof en> = {
  errors: errorWords,
  tryAgainIn,
  flash: flashWords,
  footer,
  guards: guardWords,
  errorPages,
  lines,
  browserName,
  descriptions,
  titles: { ...none, ...login, ...card, ...app, ...settings },
  mails: {
    layout: mailLayout,
    registration: registrationMail,
    reset: resetMail,
    setPassword: setPasswordMail,
    verify: verifyMail,
    notices: noticeMails,
  },
}

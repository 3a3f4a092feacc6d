import { appName } from '../../../../web/contract/name.ts'
import { judgeEmail } from '../../../../internal/base/email.ts'
import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { setEmail } from '../../../../internal/domain/accounts/change-profile.ts'
import { type Options, command, identityOf, type Outcome, quote, titleOf } from './users.ts'
import type { App } from '../../../../internal/app.ts'
import type { User } from '../../../../internal/db/users.ts'

/** Changes an account's email: exit code 2 if it is not an email, 1 if another account has it. */
export async function setEmailOf(
  idOrEmail: string,
  email: string,
  options: Options,
): Promise<number> {
  if (judgeEmail(email) === undefined)
    return command((app, user) => changeEmail(app, user, email))(idOrEmail, options)
  console.error(`error: ${quote(email)} is not an email.`)
  return 2
}

async function changeEmail(app: App, user: User, email: string): Promise<Outcome> {
  const outcome = await setEmail(app, user.id, email)
  switch (outcome.result) {
    case 'gone':
      return 'gone'
    case 'taken':
      console.error(`Another account has the email ${quote(email)}: nothing was changed.`)
      return undefined
    case 'same':
      console.error(`${titleOf(user)} has this email already: nothing was changed.`)
      return undefined
    case 'set':
      return {
        data: { ...identityOf(outcome.user), before: user.email },
        text: `The email of ${titleOf(user)} is ${escapeControls(outcome.user.email)} now.`,
        note: [
          'It is verified once the link is followed that is mailed there; the old one is told. A running server sends both.',
          `Logins, passkeys and API tokens stay. Where a stranger was in the account, end its logins with \`${appName} users logout ${user.id}\`,`,
          `and send the new email the link of \`${appName} users reset-link ${user.id}\`, which removes passkeys and API tokens too,`,
          `unless the email was verified before it is used: \`${appName} users show ${user.id}\` tells what is left.`,
        ].join('\n'),
      }
  }
}

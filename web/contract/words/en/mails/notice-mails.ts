import { brandName } from '../../../../brand/brand.ts'
import { browserName } from '../format/browser-name.ts'
import type { NotificationData, NotificationKind } from '../../../notification-lines.ts'
import type { MailWords } from '../../../mail-words.ts'

const security = 'Open the security page'

/** The mail of each kind of notification (contract: Mail subjects). */
export const noticeMails: {
  readonly [Kind in NotificationKind]: (data: NotificationData[Kind]) => MailWords
} = {
  'password-changed': ({ keys }) => ({
    subject: 'Your password was changed',
    about: [
      `The password of your account at ${brandName} was changed, and every other browser was logged out.`,
      ...keysText(keys),
    ],
    action: security,
    notYou:
      'If it was not you, somebody else is in your account. Set a new password at once: it logs them out. Then remove each passkey and API token that you do not know.',
    reset: 'Set a new password:',
  }),

  'password-set': ({ keys }) => ({
    subject: 'A password was set for your account',
    about: [
      `Your account at ${brandName} had no password, and has one now. Every other browser was logged out.`,
      ...keysText(keys),
    ],
    action: security,
    notYou:
      'If it was not you, somebody else is in your account. Set a password of your own at once: it logs them out. Then remove each passkey and API token that you do not know.',
    reset: 'Set a new password:',
  }),

  'password-removed': () => ({
    subject: 'Your password was removed',
    about: [
      `Your account at ${brandName} has no password any more: its passkeys are the way in. Every other browser was logged out.`,
    ],
    action: security,
    notYou:
      'If it was not you, set a password again at once, and remove each passkey and API token that you do not know.',
    reset: 'Set a password:',
  }),

  'email-changed': ({ email }) => ({
    subject: 'The email of your account was changed',
    about: [
      `Your account at ${brandName} has another email now, and this address gets no more mail about it.`,
    ],
    facts: [['New email', email, 'email']],
    action: 'Open your profile',
    // No link to set a new password: it would be mailed to the new email.
    notYou:
      'If it was not you, log in with the new email at once, put your own email back in your profile, and follow the link that is then mailed to you. Then change your password, if you have one, and remove each passkey and API token that you do not know.',
  }),

  'two-factor-disabled': () => ({
    subject: 'Two-factor login was turned off',
    about: [
      `Logging in to your account at ${brandName} no longer takes a code from an authenticator app.`,
    ],
    action: security,
    notYou:
      'If it was not you, change your password on the security page at once, if you have one, remove each passkey and API token that you do not know, and turn two-factor login on again.',
    reset: 'Does your password not work any more? Set a new one:',
  }),

  'passkey-added': ({ name }) => ({
    subject: 'A passkey was added to your account',
    about: [
      `Whoever has this passkey can log in to your account at ${brandName} with it, without a password.`,
    ],
    facts: [['Passkey', name, 'name']],
    action: security,
    notYou:
      'If it was not you, remove the passkey on the security page at once, and change your password there, if you have one.',
    reset: 'Does your password not work any more? Set a new one:',
  }),

  'token-created': ({ name }) => ({
    subject: 'An API token was made for your account',
    about: [
      `Whoever has this token can act for your account at ${brandName}, as far as it was allowed to.`,
    ],
    facts: [['Token', name, 'name']],
    action: 'Open your API tokens',
    notYou:
      'If it was not you, revoke the token there at once, and change your password on the security page, if you have one: a new password alone does not end a token.',
    reset: 'Does your password not work any more? Set a new one:',
  }),

  'new-login': ({ address, by, ...names }) => ({
    subject: 'A new login to your account',
    about: [
      `Somebody logged in to your account at ${brandName} from a browser that was not used for it in the last year.`,
    ],
    facts: [
      ['From', browserName(names)],
      ['Address', address],
    ],
    action: security,
    ...(by === 'passkey'
      ? {
          notYou:
            'If it was not you, somebody else has one of your passkeys. Remove those that you do not know on the security page at once, and log out every other browser there.',
        }
      : {
          notYou:
            'If it was not you, somebody else knows your password. Change it on the security page at once: that logs every other browser out. Then remove each passkey and API token that you do not know.',
          reset: 'Does your password not work any more? Set a new one:',
        }),
  }),
}

/** Returns what became of the passkeys and API tokens, if it is known. */
function keysText(keys: NotificationData['password-set']['keys']): readonly string[] {
  if (keys === undefined) return []
  return keys === 'kept'
    ? ['Its passkeys and API tokens, if it has any, stay as they are.']
    : [
        'Its passkeys and API tokens were removed: its email was not verified before, so somebody else may have made them. Make new ones of your own.',
      ]
}

import { dayOf } from '../format/times.ts'
import { brandName } from '../../../../brand/brand.ts'
import type { MailWords } from '../../../mail-words.ts'

export const verifyMail: MailWords = {
  subject: `Verify your email for ${brandName}`,
  about: [
    `This email was given for an account at ${brandName}. Verify that it is yours, and the account is ready to use.`,
  ],
  action: 'Verify my email',
  until: 'The link works for a day.',
  notYou:
    'If it was not you, leave the link alone: without it this email is not verified. There is no need to answer.',
}

export const resetMail: MailWords = {
  subject: `Reset your password for ${brandName}`,
  about: [
    `Somebody asked for a new password for your account at ${brandName}. Choose one with the link below. Every browser that is logged in will then be logged out.`,
  ],
  action: 'Choose a new password',
  until: 'The link works once, within an hour.',
  notYou:
    'If it was not you who asked, there is nothing to do: your password stays as it is. Do not forward this mail to anyone, whatever they say.',
}

/** For an account that has only passkeys. */
export const setPasswordMail: MailWords = {
  subject: `Set a password for ${brandName}`,
  about: [
    `Somebody asked for a way into your account at ${brandName}, which has no password. Set one with the link below, if your passkeys are lost or you would like to have a password too. Every browser that is logged in will then be logged out.`,
  ],
  action: 'Set a password',
  until: 'The link works once, within an hour.',
  notYou:
    'If it was not you who asked, there is nothing to do: your account stays as it is. Do not forward this mail to anyone, whatever they say.',
}

/** To an email that has no account yet: the link makes one. */
export const registrationMail: MailWords = {
  subject: `Finish making your ${brandName} account`,
  about: [
    `This email was given for a new account at ${brandName}, with a passkey in place of a password. Open the link on the device that should keep the passkey.`,
  ],
  action: 'Make your passkey',
  until: 'The link works for a day, and for one account.',
  notYou:
    'If it was not you, there is nothing to do and no need to answer: without the link no account is made.',
}

/** The text above and below the content of every mail. */
export const mailLayout = {
  moment: (at: Date) => `${dayOf(at)} at ${at.toISOString().slice(11, 16)} UTC`,
  greeting: (name: string | undefined) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  /** Between the button and the link's address as text. */
  orCopy: 'Or open this address in your browser:',
  when: 'When',
  /**
   * Where to ask questions: by email, or on a page. No full stop follows its address, since it might become
   * part of the link.
   */
  writeTo: (email: string) => `Questions? Write to ${email}.`,
  helpAt: (page: string) => `Questions? Find help at ${page}`,
  terms: 'Terms',
  privacy: 'Privacy policy',
  sender: `This mail was sent by ${brandName}.`,
} as const

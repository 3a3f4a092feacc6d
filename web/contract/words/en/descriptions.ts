import { brandName, brandSentence } from '../../../brand/brand.ts'
import type { PageName } from '../../pages.ts'

/** Descriptions of pages for search engines. */
export const descriptions: Partial<Record<PageName, string>> = {
  Home: brandSentence.en,
  'Auth/Login': `Log in to ${brandName} with your password or a passkey.`,
  'Auth/Register': `Create your account at ${brandName}. All it takes is a name, an email, and a password or a passkey.`,
  'Auth/RegisterPasskey': `Make the passkey that you will log in to ${brandName} with.`,
  'Auth/VerifyEmail': `Verify the email of your account at ${brandName} with the link that was mailed to you.`,
  'Auth/ForgotPassword': `Forgotten your password for ${brandName}? Have a link mailed to you, and choose a new one.`,
  'Auth/ResetPassword': `Choose a new password for your account at ${brandName}.`,
}

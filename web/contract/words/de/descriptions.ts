import { brandName, brandSentence } from '../../../brand/brand.ts'
import type { descriptions as en } from '../en/descriptions.ts'

/** Descriptions of pages for search engines. */
export const descriptions: typeof en = {
  Home: brandSentence.de,
  'Auth/Login': `Mit Passwort oder Passkey bei ${brandName} anmelden.`,
  'Auth/Register': `Legen Sie Ihr Konto bei ${brandName} an. Ein Name, eine E-Mail-Adresse und ein Passwort oder Passkey genügen.`,
  'Auth/RegisterPasskey': `Erstellen Sie den Passkey, mit dem Sie sich bei ${brandName} anmelden.`,
  'Auth/VerifyEmail': `Bestätigen Sie die E-Mail-Adresse Ihres Kontos bei ${brandName} über den Link, den Sie bekommen haben.`,
  'Auth/ForgotPassword': `Passwort für ${brandName} vergessen? Lassen Sie sich einen Link schicken und wählen Sie ein neues.`,
  'Auth/ResetPassword': `Wählen Sie ein neues Passwort für Ihr Konto bei ${brandName}.`,
}

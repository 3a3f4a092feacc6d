import type { mailSent as en } from '../../en/auth/mail-sent.ts'
import type { Translated } from '../../translated.ts'

/** For what replaces a form that sent a mail, and for the page that waits for the email to be verified. */
export const mailSent: Translated<typeof en> = {
  heading: 'Schauen Sie in Ihr Postfach',
  subject: 'Betreff',
  subjects: (reset, set) => `„${reset}“ oder „${set}“`,
  from: 'Von',
  hint: 'Nach ein paar Minuten noch nichts da? Schauen Sie im Spam-Ordner nach und lassen Sie sich die E-Mail dann erneut senden.',
  again: 'Erneut senden',
  againIn: (seconds) => `Erneut senden in ${seconds}\u00a0s`,
  canAgain: 'Sie können die E-Mail jetzt erneut senden.',
  wrong: 'Falsche Adresse?',
  another: 'Andere eingeben',
  change: 'Ändern',
}

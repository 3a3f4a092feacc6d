import { brandName } from '../../../../brand/brand.ts'
import { dayOf } from '../format/times.ts'
import type { mailLayout as en } from '../../en/mails/mails.ts'
import type { MailWords } from '../../../mail-words.ts'
import type { Translated } from '../../translated.ts'

// `about` continues the greeting after its comma, and so begins in lower case.

export const verifyMail: MailWords = {
  subject: `E-Mail-Adresse für ${brandName} bestätigen`,
  about: [
    `diese E-Mail-Adresse wurde für ein Konto bei ${brandName} angegeben. Bestätigen Sie, dass sie Ihnen gehört, dann können Sie das Konto nutzen.`,
  ],
  action: 'E-Mail-Adresse bestätigen',
  until: 'Der Link gilt einen Tag lang.',
  notYou:
    'Sie haben diese E-Mail-Adresse nicht angegeben? Dann öffnen Sie den Link nicht: Ohne ihn wird sie nicht bestätigt. Antworten brauchen Sie nicht.',
}

export const resetMail: MailWords = {
  subject: `Passwort für ${brandName} zurücksetzen`,
  about: [
    `für Ihr Konto bei ${brandName} wurde ein neues Passwort angefordert. Mit dem Link unten legen Sie es fest. Alle Browser, die noch angemeldet sind, werden dann abgemeldet.`,
  ],
  action: 'Neues Passwort wählen',
  until: 'Der Link gilt eine Stunde lang und nur einmal.',
  notYou:
    'Sie haben das nicht angefordert? Dann brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist. Leiten Sie diese E-Mail an niemanden weiter, ganz gleich, was man Ihnen sagt.',
}

/** For an account that has only passkeys. */
export const setPasswordMail: MailWords = {
  subject: `Passwort für ${brandName} festlegen`,
  about: [
    `für Ihr Konto bei ${brandName}, das kein Passwort hat, wurde ein neuer Zugang angefordert. Wenn Sie Ihre Passkeys verloren haben oder zusätzlich ein Passwort möchten, legen Sie mit dem Link unten eins fest. Alle Browser, die noch angemeldet sind, werden dann abgemeldet.`,
  ],
  action: 'Passwort festlegen',
  until: 'Der Link gilt eine Stunde lang und nur einmal.',
  notYou:
    'Sie haben das nicht angefordert? Dann brauchen Sie nichts zu tun: Ihr Konto bleibt, wie es ist. Leiten Sie diese E-Mail an niemanden weiter, ganz gleich, was man Ihnen sagt.',
}

/** To an email that has no account yet: the link makes one. */
export const registrationMail: MailWords = {
  subject: `Registrierung bei ${brandName} abschließen`,
  about: [
    `mit dieser E-Mail-Adresse soll bei ${brandName} ein Konto angelegt werden, mit einem Passkey statt eines Passworts. Öffnen Sie den Link auf dem Gerät, auf dem Sie den Passkey speichern möchten.`,
  ],
  action: 'Passkey erstellen',
  until: 'Der Link gilt einen Tag lang und nur für ein Konto.',
  notYou:
    'Sie haben diese E-Mail-Adresse nicht angegeben? Dann brauchen Sie nichts zu tun und auch nicht zu antworten: Ohne den Link wird kein Konto angelegt.',
}

/** The text above and below the content of every mail. */
export const mailLayout: Translated<typeof en> = {
  moment: (at) => `${dayOf(at)} um ${at.toISOString().slice(11, 16)}\u00a0Uhr (UTC)`,
  greeting: (name) => (name === undefined ? 'Guten Tag,' : `Guten Tag ${name},`),
  orCopy: 'Oder öffnen Sie diese Adresse in Ihrem Browser:',
  when: 'Zeitpunkt',
  writeTo: (email) => `Fragen? Schreiben Sie an ${email}.`,
  helpAt: (page) => `Fragen? Hilfe finden Sie unter ${page}`,
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutzerklärung',
  sender: `Diese E-Mail kommt von ${brandName}.`,
}

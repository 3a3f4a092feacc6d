import { isolated } from '../../isolated.ts'
import { photoMegabytes } from '../../../limits.ts'
import type { profile as en } from '../../en/settings/profile.ts'
import type { Translated } from '../../translated.ts'

export const profile: Translated<typeof en> = {
  heading: 'Profil',
  photo: 'Foto',
  photoHint: `PNG, JPEG oder WebP mit höchstens ${photoMegabytes}\u00a0MB.`,
  photoHintAnySize: 'PNG, JPEG oder WebP: auswählen, hierherziehen oder einfügen.',
  choose: 'Foto auswählen',
  crop: 'Ausschnitt Ihres Fotos',
  cropHow:
    'Ziehen Sie das Foto, um es zu verschieben, oder drücken Sie auf das, was in die Mitte soll; zoomen Sie mit dem Mausrad oder mit zwei Fingern. Mit der Tastatur: Pfeiltasten, + und −.',
  zoom: 'Vergrößerung',
  cancelCrop: 'Abbrechen',
  cropAt: (zoom, left, top) =>
    `Vergrößerung ${zoom}. Die Mitte liegt ${left} von links und ${top} von oben.`,
  details: 'Ihre Angaben',
  verified: (email) => `${isolated(email)} ist bestätigt.`,
  notVerified: (email) => `${isolated(email)} ist noch nicht bestätigt.`,
  newEmail:
    'Eine neue E-Mail-Adresse gilt als bestätigt, sobald Sie den Link öffnen, den wir dorthin schicken.',
  danger: 'Konto löschen',
  dangerText:
    'Mit dem Konto verschwindet alles, was dazugehört: Foto, Passkeys, API-Tokens, Anmeldungen und Benachrichtigungen. Das lässt sich nicht rückgängig machen.',
  sure: 'Möchten Sie Ihr Konto löschen?',
  sureText: 'Es wird sofort gelöscht, und niemand kann es wiederherstellen.',
  keep: 'Konto behalten',
  surePasskey:
    'Es wird sofort gelöscht, und niemand kann es wiederherstellen. Zur Sicherheit bestätigen Sie das mit Ihrem Passkey.',
  unable:
    'Ihr Browser kann derzeit keinen Passkey verwenden. Legen Sie zuerst ein Passwort fest und bestätigen Sie das Löschen damit.',
}

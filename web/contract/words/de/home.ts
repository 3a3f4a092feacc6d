import type { home as en } from '../en/home.ts'
import type { Translated } from '../translated.ts'

export const home: Translated<typeof en> = {
  heading: 'Konten, auf die Sie bauen können.',
  lead: 'Registrieren und Anmelden braucht jede Anwendung als Erstes. Hier ist beides schon fertig, und Sie fangen gleich mit Ihrer eigenen Idee an.',
  facts: [
    [
      'Ein Programm, eine Datei',
      'Seiten, Migrationen und der Server sind eingebaut. Eine Adresse und ein Ort für die Daten genügen, und es läuft.',
    ],
    [
      'Passwörter in guten Händen',
      'Gespeichert werden sie nur als Argon2id-Hash, und jeder Versuch wird gezählt, bevor er geprüft wird. Kein Passwort steht je im Protokoll oder in einer Antwort.',
    ],
    [
      'Im Kern ganz schlicht',
      'Jedes Formular funktioniert auch ohne JavaScript. Mit JavaScript wird jedes Feld geprüft, sobald Sie es verlassen, und Seiten wechseln, ohne neu zu laden.',
    ],
  ],
}

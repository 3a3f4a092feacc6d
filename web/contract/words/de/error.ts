import type { errorPages as en } from '../en/error.ts'
import type { Translated } from '../translated.ts'

const errorTitles: Readonly<Record<number, string>> = {
  0: 'Diese Seite ist nicht erreichbar',
  403: 'Das konnten wir nicht annehmen',
  404: 'Diese Seite gibt es nicht',
  408: 'Das hat zu lange gedauert',
  413: 'Das ist zu groß',
  500: 'Da ist etwas schiefgegangen',
  503: 'Gerade nicht verfügbar',
}

/** Returns the title and heading of an error page. */
export function errorTitle(status: number): string {
  return errorTitles[status] ?? 'Das hat nicht geklappt'
}

/**
 * The text below the title of an error page, by status. `away`: the database is unavailable. `inDoubt`: it is
 * unknown whether a change was committed. `other`: for any other status.
 */
export const errorPages: Translated<typeof en> = {
  403: {
    text: 'Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  408: {
    text: 'Ihre Anfrage kam nicht rechtzeitig an. Senden Sie eine kleinere Datei, oder versuchen Sie es mit einer schnelleren Verbindung noch einmal.',
  },
  413: {
    text: 'So viel können wir nicht annehmen. Senden Sie weniger oder eine kleinere Datei.',
  },
  404: { text: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.' },
  500: {
    text: 'Der Fehler liegt bei uns und wurde vermerkt. Versuchen Sie es gleich noch einmal.',
  },
  503: {
    text: 'Gerade kommen sehr viele Anfragen an. Versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  away: {
    text: 'Diese Website kann ihre Datenbank gerade nicht nutzen. Versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  inDoubt: {
    text: 'Die Datenbank hat nicht geantwortet, als Ihre Änderung gespeichert werden sollte. Ob sie gespeichert ist, ist nicht bekannt: Sehen Sie nach, bevor Sie es noch einmal versuchen.',
  },
  other: {
    text: 'Mit dieser Anfrage kann diese Website nichts anfangen. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
}

/** The button that requests the page again. */
export const tryAgain = 'Noch einmal versuchen'

/** Precedes the request's ID, by which its log lines are found. */
export const errorReference = 'Wenn Sie Hilfe brauchen, nennen Sie bitte diese Kennung:'

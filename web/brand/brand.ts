import manifest from '../../package.json' with { type: 'json' }

/**
 * The app's display name: any text, such as 'Shop & Co'. Cookies, tokens and files use the name in
 * package.json, which is also the default here.
 */
export const brandName: string = manifest.name

/** What the app is, in each language: for search engines, and for link previews in chats and mails. */
export const brandSentence = {
  en: 'Registering and logging in, in one executable over one file.',
  de: 'Registrieren und Anmelden, in einem Programm mit einer Datei.',
} as const

import manifest from '../../package.json' with { type: 'json' }

/**
 * What people call it: any text, such as 'Shop & Co'. What machines call it, as in cookies, tokens and files, is the name
 * of package.json, which stands here too until another does.
 */
export const brandName: string = manifest.name

/** What it is, in each language: search engines show it, and whoever is sent a link to it. */
export const brandSentence = {
  en: 'Registering and logging in, in one executable over one file.',
  de: 'Registrieren und Anmelden, in einem Programm mit einer Datei.',
} as const

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

/**
 * The mark, a keyhole that is also a person: the `d` of a path in a square of 32 units. It is drawn in `onAccent` on a
 * rounded square of `accent`, and large in `accent` on the landing page. Several shapes follow each other in it.
 */
export const mark =
  'M16 6a5.5 5.5 0 0 0-3 10.1L10.6 25a1 1 0 0 0 1 1.3h8.8a1 1 0 0 0 1-1.3L19 16.1A5.5 5.5 0 0 0 16 6Z'

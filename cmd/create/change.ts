import type { Choices } from './choices.ts'

/** A replacement in a file that is copied into a new app. */
export interface Change {
  readonly file: string
  /** The text to replace, everywhere in the file; it must be there. */
  readonly from: string | RegExp
  readonly to: string | ((choices: Choices) => string)
  /** The choices for which the change is made; all if absent. */
  readonly when?: (choices: Choices) => boolean
}

export const onFile = ({ database }: Choices) => database === 'sqlite'
export const onServer = ({ database }: Choices) => database !== 'sqlite'

/** Returns a `when`: the app uses the database or frontend of this name. */
export function on(name: string) {
  return ({ database, frontend }: Choices) => database === name || frontend === name
}

export function notOn(name: string) {
  return (choices: Choices) => !on(name)(choices)
}

const displayNames: Readonly<Record<string, string>> = {
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  sqlite: 'SQLite',
  preact: 'Preact',
  svelte: 'Svelte',
  vue: 'Vue',
}

/** Returns the usual spelling of a database's or frontend's name. */
export function displayName(name: string): string {
  return displayNames[name] ?? name
}

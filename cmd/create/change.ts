import type { Choices } from './choices.ts'

/** A replacement in a file that is copied into an app of one's own. */
export interface Change {
  readonly file: string
  /** The text to replace, wherever it is in the file; it must be there. */
  readonly from: string | RegExp
  readonly to: string | ((choices: Choices) => string)
  /** The choices with which the change is made; with all if left out. */
  readonly when?: (choices: Choices) => boolean
}

export const onFile = ({ database }: Choices) => database === 'sqlite'
export const onServer = ({ database }: Choices) => database !== 'sqlite'

/** A `when`: the app has the database or frontend of this name. */
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

/** The name of a database or frontend as people write it. */
export function displayName(name: string): string {
  return displayNames[name] ?? name
}

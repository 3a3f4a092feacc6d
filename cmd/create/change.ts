import type { Choices } from './choices.ts'

/** A part of a file that is another one in an app of one's own. */
export interface Change {
  readonly file: string
  /** Found somewhere in the file, once or often. */
  readonly from: string | RegExp
  readonly to: string | ((choices: Choices) => string)
  /** With which choices; with all unless given. */
  readonly when?: (choices: Choices) => boolean
}

export const onFile = ({ database }: Choices) => database === 'sqlite'
export const onServer = ({ database }: Choices) => database !== 'sqlite'

/** With a database or frontend of this name. */
export function on(name: string) {
  return ({ database, frontend }: Choices) => database === name || frontend === name
}

export function notOn(name: string) {
  return (choices: Choices) => !on(name)(choices)
}

const spoken: Readonly<Record<string, string>> = {
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  sqlite: 'SQLite',
  preact: 'Preact',
  svelte: 'Svelte',
  vue: 'Vue',
}

/** That of a database or frontend as people say it. */
export function spokenName(name: string): string {
  return spoken[name] ?? name
}

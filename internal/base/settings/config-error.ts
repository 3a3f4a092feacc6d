import type { DatabaseAddress } from './config.ts'

/** One thing that is wrong with the settings. */
export interface Fault {
  /** The variable, or `.env` for a line of the file itself. */
  readonly variable: string
  /** Whole sentences: what is wrong, never with a secret's value, and what to write. */
  readonly message: string
  /** The line to add to `.env`. */
  readonly line: string
}

/** The settings cannot be used. Its message is for a person at a terminal, and tells every fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly Fault[]
  /** undefined where a fault keeps it from being known. */
  readonly database: DatabaseAddress | undefined

  constructor(faults: readonly Fault[], database?: DatabaseAddress) {
    const told = faults.map(({ message, line }) => `  ${message}\n      ${line}\n`)
    const where = 'Put these lines right in .env, or set the variables in the environment.'
    super(`The settings cannot be used.\n\n${told.join('\n')}\n${where}`)
    this.faults = faults
    this.database = database
  }
}

import { escapeControls } from '../text/escape.ts'
import type { ConfigWarning } from './config-warning.ts'
import type { DatabaseAddress } from './config.ts'

/** One thing that is wrong with the settings. */
export interface Fault {
  /** The variable, or `.env` for a line of the file itself. */
  readonly variable: string
  /** Whole sentences: what is wrong, never with a secret's value, and what to write. */
  readonly message: string
  /** The line to add to `.env`. */
  readonly line: string
  /**
   * The variable is set both directly and by `<NAME>_FILE`. Neither was read, so its value may well be right.
   */
  readonly isDoubled?: true
}

/** The settings cannot be used. The message is for a person at a terminal, and lists every fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly Fault[]
  /** Where the database is; undefined if a fault makes that unknown. */
  readonly database: DatabaseAddress | undefined
  /** Warnings about settings, such as a misspelled name, which may be the setting that is missing. */
  readonly warnings: readonly ConfigWarning[]
  /** The working folder, if it has no `.env`: it may be the wrong one. */
  readonly folderWithout: string | undefined

  constructor(
    faults: readonly Fault[],
    database?: DatabaseAddress,
    warnings: readonly ConfigWarning[] = [],
    folderWithout?: string,
  ) {
    const faultLines = faults.map(({ message, line }) => `  ${message}\n      ${line}\n`)
    const warningLines = warnings.map(({ message }) => `  ${message}\n`)
    super(
      `The settings cannot be used.\n\n${[...faultLines, ...warningLines].join('\n')}\n${whereTo(folderWithout)}`,
    )
    this.faults = faults
    this.database = database
    this.warnings = warnings
    this.folderWithout = folderWithout
  }
}

function whereTo(folderWithout: string | undefined): string {
  return folderWithout === undefined
    ? 'Correct these lines in .env, or set the variables in the environment.'
    : `There is no .env in ${escapeControls(folderWithout)}, where this was started: start it in the folder that has one, put these lines into a new one, or set the variables in the environment.`
}

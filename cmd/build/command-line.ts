import { parseArgs, type ParseArgsConfig } from 'node:util'
import { messageOf } from '../../internal/base/error-message.ts'

/**
 * A developer's command cannot do what was asked. `exitCode` as in the contract: 1 failed, 2 wrong usage; 0 for help.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly exitCode: 0 | 1 | 2

  constructor(message: string, exitCode: 0 | 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }

  /** Prints the message, and sets the process's exit code. */
  print(): void {
    if (this.exitCode === 0) console.log(this.message)
    else console.error(this.message)
    process.exitCode = this.exitCode
  }
}

/** Parses a command line. Throws a Refusal with the usage, for --help and for unknown words. */
export function readCommandLine<Config extends ParseArgsConfig & { args: string[] }>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (config.args.includes('--help')) throw new Refusal(usage, 0)
  try {
    return parseArgs(config)
  } catch (error) {
    // Only the first sentence: Node's others explain how to pass words that begin with a hyphen.
    const [sentence] = messageOf(error).split('. ')
    throw new Refusal(`${sentence}. ${usage}`, 2)
  }
}

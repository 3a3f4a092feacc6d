import '../../internal/base/program/threads.ts'
import { explained } from './explain-error.ts'
import { stopAsked } from './stop-asked.ts'

/** Does what the words of the command line say, and leaves the exit code to the process. */
export async function main(): Promise<void> {
  const words = process.argv.slice(2)
  // A server hears it from here on: what it is made of is still to be read.
  if (words.length === 0 || words[0] === 'serve') void stopAsked()

  // Where nobody hears of a fault, its exit code still tells it.
  process.stderr.on('error', () => {})

  try {
    process.exitCode = await run(words)
  } catch (error) {
    const { message, exitCode } = explained(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = exitCode
  }
}

// Each command is read when it is asked for: a server need not wait for what parses commands.
async function run(words: readonly string[]): Promise<number> {
  if (words.length === 0) return (await import('./serve.ts')).serve()
  return (await import('./commands/commands.ts')).runCommand(words)
}

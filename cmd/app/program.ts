import '../../internal/base/program/threads.ts'
import { explained } from './explain-error.ts'
import { firstStopSignal } from './stop-signal.ts'

/** Runs the command that the command line names, and sets the exit code of the process. */
export async function main(): Promise<void> {
  const args = process.argv.slice(2)
  // A server listens for the signals from here on: one may come while its modules are loaded.
  if (args.length === 0 || args[0] === 'serve') void firstStopSignal()

  // If nobody reads standard error, the exit code still tells of the failure.
  process.stderr.on('error', () => {})

  try {
    process.exitCode = await run(args)
  } catch (error) {
    const { message, exitCode } = explained(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = exitCode
  }
}

// Modules are loaded only for the command that is run: a server need not wait for what parses commands.
async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) return (await import('./serve.ts')).serve()
  return (await import('./commands/commands.ts')).runCommand(args)
}

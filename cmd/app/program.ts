import '../../internal/base/program/threads.ts'
import { explainError } from './explain-error.ts'
import { firstStopSignal } from './stop/stop-signal.ts'

/** Runs the command that the command line names, and sets the process's exit code. */
export async function main(): Promise<void> {
  const args = process.argv.slice(2)
  // A server listens for signals from here on: one may arrive while its modules are being loaded.
  if (args.length === 0 || args[0] === 'serve') void firstStopSignal()

  // If nobody reads standard error, the exit code still reports the failure.
  process.stderr.on('error', () => {})

  try {
    process.exitCode = await run(args)
  } catch (error) {
    const { message, exitCode } = explainError(error)
    process.stderr.write(`${message}\n`)
    process.exitCode = exitCode
  }
}

// Loads only the modules of the command: a server need not wait for the command line parser.
async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) return (await import('./serve/serve.ts')).serve()
  return (await import('./commands/commands.ts')).runCommand(args)
}

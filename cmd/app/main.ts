import '../../internal/base/threads.ts'
import { explained } from './explained.ts'

// Each command is read when it is asked for: a server need not wait for what parses commands.
async function run(words: readonly string[]): Promise<number> {
  if (words.length === 0) return (await import('./serve.ts')).serve()
  return (await import('./commands.ts')).runCommand(words)
}

// Where nobody hears of a fault, its exit code still tells it.
process.stderr.on('error', () => {})

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { message, exitCode } = explained(error)
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Runs the tests of the pages, or the named ones, on a frontend. Arguments: the frontend, then vitest's. */
const [frontend, ...args] = process.argv.slice(2)
const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
const namesTests = args.some((word) => !word.startsWith('-'))
const tests = namesTests ? args : ['web/', 'internal/http/page/', 'internal/http/headers', ...args]
const child = spawn(
  process.execPath,
  [vitest, 'run', '--config', 'internal/testing/vitest.config.ts', ...tests],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      // Also for the processes that tests start.
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --conditions=${frontend}`,
    },
  },
)
process.on('SIGINT', () => {})
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

// Imported before the program: has it told to stop as the modules of the server begin to be read, long before it serves.
registerHooks({
  load(url, context, next) {
    if (url.endsWith('/cmd/app/serve.ts')) process.kill(process.pid, 'SIGTERM')
    if (!url.endsWith('.tsx')) return next(url, context)
    // Which Node does not read by itself.
    const options = { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'preact' } as const
    const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), options)
    return { format: 'module', source: code, shortCircuit: true }
  },
})

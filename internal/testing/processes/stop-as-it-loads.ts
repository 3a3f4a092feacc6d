import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { frontendBuildOf } from '../../../cmd/build/frontend-build.ts'
import { testedFrontend } from '../tested-frontend.ts'

const { compile, compiled } = await frontendBuildOf(testedFrontend)
const tsconfigRaw = readFileSync(join(import.meta.dirname, '../../../tsconfig.json'), 'utf8')

// Imported before the program: sends it SIGTERM while the modules of the server are loaded, long before it serves.
registerHooks({
  load(url, context, next) {
    if (url.endsWith('/cmd/app/serve.ts')) process.kill(process.pid, 'SIGTERM')
    const ending = extname(url)
    if (ending !== '.tsx' && ending !== compiled) return next(url, context)
    // Node cannot load these files by itself.
    const path = fileURLToPath(url)
    const text = readFileSync(path, 'utf8')
    const source =
      ending === compiled && compile
        ? compile(path, text, 'server')
        : transformSync(text, { loader: 'tsx', tsconfigRaw }).code
    return { format: 'module', source, shortCircuit: true }
  },
})

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { frontendBuildOf } from '../../../cmd/build/frontend-build.ts'
import { testedFrontend } from '../tested-frontend.ts'

const { compile, compiledExtension } = await frontendBuildOf(testedFrontend)
const tsconfigRaw = readFileSync(join(import.meta.dirname, '../../../tsconfig.json'), 'utf8')

// Imported before the program: sends it SIGTERM while the server's modules are being loaded, long before it serves.
registerHooks({
  load(url, context, next) {
    if (url.endsWith('/cmd/app/serve/serve.ts')) process.kill(process.pid, 'SIGTERM')
    const ending = extname(url)
    if (ending !== '.tsx' && ending !== compiledExtension) return next(url, context)
    // Node cannot load these files by itself.
    const path = fileURLToPath(url)
    const text = readFileSync(path, 'utf8')
    const source =
      ending === compiledExtension && compile
        ? compile(path, text, 'server')
        : transformSync(text, { loader: 'tsx', tsconfigRaw }).code
    return { format: 'module', source, shortCircuit: true }
  },
})

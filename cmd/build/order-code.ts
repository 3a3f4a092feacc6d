import { readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { names } from '../../internal/base/program/bundled-program.ts'

// Run by the build after a start kept its code. That numbers the functions as they came to run, which is not the same twice:
// whoever reads it numbers them anew, as they stand in the source.
const script = new Script(readFileSync(names.source, 'latin1'), {
  filename: `/${names.source}`,
  cachedData: readFileSync(names.code),
})
if (script.cachedDataRejected) throw new Error('V8 does not take the code that it has just made.')
writeFileSync(names.code, script.createCachedData())

import { readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { names } from '../../../internal/base/program/bundled-program.ts'

// The build runs this after `keep-code.ts`, whose code numbers functions in the order in which they first ran, which
// varies. Loading the code and writing it again numbers them in source order, which makes builds reproducible.
const script = new Script(readFileSync(names.source, 'latin1'), {
  filename: `/${names.source}`,
  cachedData: readFileSync(names.code),
})
if (script.cachedDataRejected) throw new Error('V8 does not take the code that it has just made.')
writeFileSync(names.code, script.createCachedData())

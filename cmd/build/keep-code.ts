import { readFileSync, writeFileSync } from 'node:fs'
import { names, open } from '../../internal/base/program/bundled-program.ts'

interface Program {
  readServer(): Promise<unknown>
}

// Run by the build in the folder of what it puts together: reads the server once, and keeps what V8 made of it.
// The name is kept as well: not one of this machine.
const { script, program } = open<Program>(readFileSync(names.source), { file: `/${names.source}` })
await program.readServer()
writeFileSync(names.code, script.createCachedData())

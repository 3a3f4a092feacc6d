import { names, open } from '../../internal/base/program/bundled-program.ts'
import { inExecutable } from '../../internal/base/program/in-executable.ts'
import { exitCodeOfEndingRun } from './stop/end-now.ts'
import type * as program from './program.ts'

// The executable's entry point, which opens the program embedded in it.
const exitCode = exitCodeOfEndingRun()
if (exitCode !== undefined) process.exit(exitCode)

const hasCode = inExecutable.names().includes(names.code)
const opened = hasCode ? inExecutable.withContent(names.code, openProgram) : openProgram()
void opened.program.main()

function openProgram(code?: Buffer) {
  return inExecutable.withContent(names.source, (source) =>
    open<typeof program>(source, { code, file: process.execPath }),
  )
}

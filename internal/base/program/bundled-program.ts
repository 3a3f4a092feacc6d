import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** What the build puts into the executable of its program: the source, and what V8 made of it. */
export const names = { source: 'program.cjs', code: 'program.code' } as const

/** Around the source of a CommonJS module, for `open`. */
export const wrapping = ['(function(module,exports,require,__dirname){', '})'] as const

interface Opened<Program> {
  readonly script: Script
  readonly program: Program
}

/**
 * Evaluates the wrapped source of the program, which is all ASCII. With the `code` that V8 made of it before, no function
 * in there is compiled again: a start takes a quarter less. Another version of V8 leaves it aside.
 */
export function open<Program>(
  source: Buffer,
  {
    code,
    file,
    folder = dirname(file),
  }: {
    readonly code?: Buffer
    readonly file: string
    /** Of what lies beside the program. */
    readonly folder?: string
  },
): Opened<Program> {
  const known = code ? { cachedData: code } : {}
  const script = new Script(source.toString('latin1'), { filename: file, ...known })
  const module = { exports: {} as Program }
  const evaluate = script.runInThisContext() as (...given: readonly unknown[]) => void
  evaluate(module, module.exports, createRequire(file), folder)
  return { script, program: module.exports }
}

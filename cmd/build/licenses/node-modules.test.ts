import { compileFunction } from 'node:vm'
import { expect, test } from 'vitest'
import { bundle } from '../bundle/bundle.ts'
import { nodeModulesPlugin } from '../plugins/plugins.ts'

/** Runs a bundle, and returns its module's exports and which exports of Node's modules it read. */
async function run(contents: string): Promise<{ exported: unknown; read: Set<string | symbol> }> {
  const { outputFiles } = await bundle({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    plugins: [nodeModulesPlugin],
    metafile: true,
    write: false,
  })
  const text = outputFiles.map(({ contents }) => Buffer.from(contents).toString()).join('')
  const read = new Set<string | symbol>()
  const recorder = {
    get: (module: object, name: string | symbol) => {
      read.add(name)
      return Reflect.get(module, name) as unknown
    },
    getOwnPropertyDescriptor: (module: object, name: string | symbol) => {
      read.add(name)
      return Reflect.getOwnPropertyDescriptor(module, name)
    },
  }
  const recordedModule = (name: string) =>
    new Proxy(process.getBuiltinModule(name) as object, recorder)
  const module = { exports: {} as { exported?: unknown } }
  compileFunction(text, ['module', 'process'])(module, { getBuiltinModule: recordedModule })
  return { exported: module.exports.exported, read }
}

test('a bundle reads only the named imports of a Node module', async () => {
  const { exported, read } = await run(`
    import { inspect } from 'node:util'
    import os, { EOL } from 'node:os'
    export const exported = [inspect('a'), EOL === os.EOL]`)
  expect(exported).toEqual(["'a'", true])
  expect(read).toEqual(new Set(['EOL', 'inspect']))
})

test('require and a dynamic import return the whole Node module', async () => {
  const { exported } = await run(`
    const { EOL } = require('os')
    export const exported = import('node:os').then((os) => [os.EOL === EOL, os.default.EOL === EOL])`)
  expect(await exported).toEqual([true, true])
})

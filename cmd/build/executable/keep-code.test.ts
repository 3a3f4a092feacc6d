import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { names, wrapping } from '../../../internal/base/program/bundled-program.ts'
import { flags, keepCode } from '../executable/executable.ts'

/** Its parts run in a different order each time, like those of a server waiting for a disk. */
const starting = `
  const { createServer } = process.getBuiltinModule('node:http')
  exports.main = async () => {
    const parts = [one, two, three]
    const first = Number(process.hrtime.bigint() / 1000n % 3n)
    for (const at of [0, 1, 2]) parts[(first + at) % 3]()
    const server = createServer((_, answer) => answer.end(answered())).listen(process.env.PORT)
    await new Promise((resolve) => process.on('SIGTERM', resolve))
    server.close(() => process.exit(stopped()))
    await new Promise(() => {})
  }
  function one() { return (() => 'the first part')() }
  function two() { return (() => 'the second part')() }
  function three() { return (() => 'the third part')() }
  function answered() { return 'what it answers' }
  function stopped() { return ['what it ends with'].length - 1 }
  function never() { return 'what nobody asks for' }`

const refusing = `
  exports.main = async () => { process.exitCode = missing() ? 3 : 0 }
  function missing() { return 'what is missing' }`

const opening = `
  import { readFileSync } from 'node:fs'
  import { names, open } from ${JSON.stringify(import.meta.resolve('../../../internal/base/program/bundled-program.ts'))}
  const code = readFileSync(names.code)
  const { script } = open(readFileSync(names.source), { code, file: process.execPath })
  console.log(script.cachedDataRejected)`

test('the V8 code cache of a server that starts and stops is stored, and V8 accepts it at a start', async () => {
  const { code, folder } = await codeOf(starting)
  const texts = ['third part', 'what it answers', 'what it ends with', 'what nobody asks for']
  expect(texts.map((text) => code.includes(text))).toEqual([true, true, true, false])
  const args = [...flags, '--input-type=module', '--eval', opening]
  const isRejected = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect(isRejected).toBe('false\n')
})

test('the code cache is the same whatever order the parts of the server ran in', async () => {
  const codes = new Set<string>()
  for (let time = 0; time < 5; time++) codes.add((await codeOf(starting)).code.toString('latin1'))
  expect(codes.size).toBe(1)
})

test('the build fails and names the page when the server starts but answers it with 500', async () => {
  const broken = starting
    .replace('answered()', 'broken(_.url, answer)')
    .replace(
      'function never',
      "function broken(url, answer) { if (url === '/login') answer.statusCode = 500; return '' }\n function never",
    )
  await expect(codeOf(broken)).rejects.toThrow('The server answered /login (en) with 500.')
})

test('the build fails when the server fails as it starts', async () => {
  const failing = "exports.main = async () => { throw new Error('this does not work') }"
  await expect(codeOf(failing)).rejects.toThrow('this does not work')
})

test('the code cache of a server that exits for lack of a setting is stored', async () => {
  const { code } = await codeOf(refusing)
  expect(code.includes('what is missing')).toBe(true)
})

async function codeOf(program: string): Promise<{ code: Buffer; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'keep-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, names.source), wrapping.join(program))
  await keepCode(process.execPath, folder)
  return { code: readFileSync(join(folder, names.code)), folder }
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { names, wrapping } from '../../internal/base/program/bundled-program.ts'
import { flags, keepCode } from './executable.ts'

const program = wrapping.join('exports.readServer = async () => one(); function one() { return 1 }')

const opening = `
  import { readFileSync } from 'node:fs'
  import { names, open } from ${JSON.stringify(import.meta.resolve('../../internal/base/program/bundled-program.ts'))}
  const code = readFileSync(names.code)
  const { script } = open(readFileSync(names.source), { code, file: process.execPath })
  console.log(script.cachedDataRejected)`

test('what V8 made of a program as it was built is the same each time, and is taken at a start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keep-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, names.source), program)
  const [first, second] = [0, 1].map(() => {
    keepCode(process.execPath, folder)
    return readFileSync(join(folder, names.code))
  })
  const words = [...flags, '--input-type=module', '--eval', opening]
  const isRejected = execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  expect(second).toEqual(first)
  expect(isRejected).toBe('false\n')
})

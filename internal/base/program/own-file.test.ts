import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPart } from './own-file.ts'

const content = 'the runtime, the program, an add-on'
const parts = { program: [13, 11], beyond: [26, 100] } as const

test('a part of the executable is read where the build recorded it', () => {
  const read = readPart(file(), { size: content.length, parts }, 'program')
  expect(read?.toString()).toBe('the program')
})

test('a missing file, another file size, and an unknown or incomplete part give undefined', () => {
  const path = file()
  const size = content.length
  expect(readPart(path, { size: size + 1, parts }, 'program')).toBeUndefined()
  expect(readPart(path, { size, parts }, 'beyond')).toBeUndefined()
  expect(readPart(path, { size, parts }, 'unknown')).toBeUndefined()
  expect(readPart(`${path}-gone`, { size, parts }, 'program')).toBeUndefined()
})

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'own-file-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'executable')
  writeFileSync(path, content)
  return path
}

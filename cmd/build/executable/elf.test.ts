import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stripSymbols } from './elf.ts'

test.runIf(process.platform === 'linux')(
  'a runtime without its symbols is smaller and runs',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'elf-test-'))
    const runtime = readFileSync(process.execPath)
    const stripped = stripSymbols(runtime)
    writeFileSync(join(folder, 'node'), stripped, { mode: 0o700 })
    const { stdout } = spawnSync(join(folder, 'node'), ['-p', '40 + 2'], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(stdout).toBe('42\n')
    expect(stripped.length).toBeLessThan(runtime.length)
    expect(stripSymbols(stripped).equals(stripped)).toBe(true)
  },
)

test('a program for another system is left unchanged', () => {
  const program = Buffer.from('MZ\u0090\u0000 a program for Windows')
  expect(stripSymbols(program)).toBe(program)
})

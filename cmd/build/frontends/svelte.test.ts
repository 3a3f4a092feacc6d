import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../internal/testing/processes/folders.ts'
import { readSource } from '../frontend-build.ts'
import { frontendBuild } from './svelte.ts'

const root = join(import.meta.dirname, '../../..')

test('the check reports misspelt, missing and mistyped props, unknown attributes and members in templates', () => {
  const faults = faultyFiles({
    'right.svelte': '<Icon path="m0 0" size={20} />',
    'misspelt.svelte': '<Icon path="m0 0" sise={20} />',
    'missing.svelte': '<Icon />',
    'other-type.svelte': '<Icon path="m0 0" size="20" />',
    'no-attribute.svelte': '<p clas="hint">x</p>',
    'no-member.svelte': '<p>{Icon.path}</p>',
  })
  expect(faults).toEqual([
    'missing.svelte',
    'misspelt.svelte',
    'no-attribute.svelte',
    'no-member.svelte',
    'other-type.svelte',
  ])
}, 240_000)

test('a template that does not compile is reported with its file, line and column', () => {
  const folder = mkdtempSync(join(memory, 'template-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'broken.svelte')
  const errorsOf = (text: string) => {
    writeFileSync(path, text)
    return readSource(path, frontendBuild, 'browser').errors
  }
  expect(errorsOf('<div>\n  <p>one</b>\n</div>\n')).toMatchObject([
    { text: expect.stringContaining('</b>'), location: { file: path, line: 2, column: 8 } },
  ])
  expect(errorsOf('<div>\n  <p>one</p>\n\n  <p>{$state(1)}</p>\n</div>\n')).toMatchObject([
    { text: expect.stringContaining('$state'), location: { file: path, line: 4, column: 6 } },
  ])
})

/** Returns the files of components with these templates in which the check finds faults. */
function faultyFiles(templates: Readonly<Record<string, string>>): string[] {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist/templates-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, template] of Object.entries(templates)) {
    const script = "import Icon from '../../web/svelte/ui/icon.svelte'\nexport const used = Icon"
    writeFileSync(
      join(folder, name),
      `<script module lang="ts">\n${script}\n</script>\n${template}\n`,
    )
  }
  const config = { extends: '../../web/svelte/tsconfig.json', include: ['.'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const checker = join(root, 'node_modules/svelte-check/bin/svelte-check')
  const args = ['--workspace', folder, '--tsconfig', './tsconfig.json', '--output', 'machine']
  const { stdout } = spawnSync(process.execPath, [checker, ...args], { encoding: 'utf8' })
  const files = stdout.matchAll(/ERROR "([\w-]+\.svelte)"/g)
  return [...new Set([...files].map(([, file = '']) => file))].toSorted()
}

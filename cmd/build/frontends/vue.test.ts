import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../internal/testing/processes/folders.ts'
import { readSource } from '../frontend-build.ts'
import { frontendBuild } from './vue.ts'

const root = join(import.meta.dirname, '../../..')

test('the check reports misspelt, missing and mistyped props, unknown attributes and members in templates', () => {
  const faults = faultyFiles({
    'right.vue': '<Icon path="m0 0" :size="20" data-any />',
    'misspelt.vue': '<Icon path="m0 0" :sise="20" />',
    'missing.vue': '<Icon />',
    'other-type.vue': '<Icon path="m0 0" size="20" />',
    'no-attribute.vue': '<p clas="hint">x</p>',
    'no-member.vue': '<p>{{ icon.path }}</p>',
  })
  expect(faults).toEqual([
    'missing.vue',
    'misspelt.vue',
    'no-attribute.vue',
    'no-member.vue',
    'other-type.vue',
  ])
}, 240_000)

test('a template that does not compile is reported with its file, line and column', () => {
  const folder = mkdtempSync(join(memory, 'template-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'broken.vue')
  writeFileSync(path, '<template>\n  <p>one</b>\n</template>\n')
  const { errors } = readSource(path, frontendBuild, 'browser')
  expect(errors).toMatchObject([
    { text: expect.stringContaining('end tag'), location: { file: path, line: 2, column: 8 } },
  ])
})

/** Returns the files of components with these templates in which the check finds faults. */
function faultyFiles(templates: Readonly<Record<string, string>>): string[] {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist/templates-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, template] of Object.entries(templates)) {
    const script = "import Icon from '../../web/vue/ui/icon.vue'\nexport type Used = typeof Icon"
    const text = `<script setup lang="ts">\n${script}\n</script>\n<template>${template}</template>\n`
    writeFileSync(join(folder, name), text)
  }
  const config = { extends: '../../web/vue/tsconfig.json', include: ['.'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const checker = join(root, 'node_modules/vue-tsc/bin/vue-tsc.js')
  const { stdout } = spawnSync(process.execPath, [checker, '-p', folder], { encoding: 'utf8' })
  const files = stdout.matchAll(/([\w-]+\.vue)\(\d+,\d+\): error/g)
  return [...new Set([...files].map(([, file = '']) => file))].toSorted()
}

import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyOfProject } from '../../internal/testing/processes/copy-of-project.ts'
import { appName } from '../../web/contract/name.ts'
import manifest from '../../package.json' with { type: 'json' }

test('a new name is written into every command of the README, even an added one, and before no other program', () => {
  const folder = copyOfProject()
  const [readme = '', ownCommand = '', manifestFile = ''] = [
    'README.md',
    'cmd/app/commands/pets.ts',
    'package.json',
  ].map((file) => join(folder, file))
  writeFileSync(ownCommand, "export const add = (program) => program.command('pets')\n")
  appendFileSync(readme, `\n\`${appName} pets\`, \`${appName} doctor\`, \`rm -rf files\`\n`)
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, name: `${appName}2` }))
  execFileSync(process.execPath, ['cmd/build/write-name.ts'], { cwd: folder })
  expect(readFileSync(readme, 'utf8').trimEnd().split('\n').at(-1)).toBe(
    `\`${appName}2 pets\`, \`${appName}2 doctor\`, \`rm -rf files\``,
  )
})

test('npm run fix writes the name before it does anything else', () => {
  expect(manifest.scripts.fix).toMatch(/^node cmd\/build\/write-name\.ts && /)
})

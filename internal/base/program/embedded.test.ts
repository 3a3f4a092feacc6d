import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../testing/processes/executable.ts'
import { appName } from '../../../web/contract/name.ts'

test('a command that needs a build but runs from its sources names the program to run instead', () => {
  const { status, stderr } = spawnSync(process.execPath, ['cmd/app/main.ts', 'version'], {
    encoding: 'utf8',
    env: { HOME: emptyFolder() },
  })
  expect(status).toBe(1)
  expect(stderr).toContain(`Run \`npm run build\`, and dist/${appName} with the same words.`)
})

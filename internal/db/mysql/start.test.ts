import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyOfProject } from '../../testing/processes/copy-of-project.ts'
import { addresses } from './address.ts'

test('without DB_URL npm start prints two commands that bring up MySQL, the second with a valid DB_URL', async () => {
  const folder = copyOfProject()
  const manifest = join(folder, 'package.json')
  const written = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, written.replace(/"database": "\w+"/, '"database": "mysql"'))
  const runner = spawn(process.execPath, ['cmd/app/start.ts'], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([text(runner.stderr), once(runner, 'exit')])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^There is no MySQL: bring one up, .* these two commands, and start again\.$/m,
  )
  const commands = stderr.match(/^ {2}\S.*$/gm) ?? []
  expect(commands).toEqual([
    expect.stringMatching(/^ {2}docker run .*-p 127\.0\.0\.1:3306:3306 .* mysql:8\.4$/),
    expect.stringMatching(/^ {2}echo 'DB_URL=.*' >> \.env$/),
  ])
  expect(addresses.faultsOf(/DB_URL=([^']*)/.exec(stderr)?.[1] ?? '')).toEqual([])
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

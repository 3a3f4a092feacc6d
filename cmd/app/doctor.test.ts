import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyFolder, required, run, serve } from '../../internal/testing/executable.ts'
import type { Finding } from './doctor/finding.ts'

test('doctor beside a running server finds nothing wrong, and changes nothing', async () => {
  const settings = { ...(await required()), APP_DEBUG: 'true', QUEUE_WORKERS: '0' }
  const app = await serve({ settings })
  const place = { folder: app.folder, settings }
  const before = readdirSync(app.folder)
  const [text, json] = await Promise.all([run(['doctor'], place), run(['doctor', '--json'], place)])
  const checks = new Set((JSON.parse(json.stdout) as Finding[]).map(({ check }) => check))
  expect([text.code, json.code, text.stderr, json.stderr]).toEqual([0, 0, '', ''])
  expect(text.stdout).toMatch(/^ok {4}version: app .*\nwarn {2}settings: APP_DEBUG is on/)
  expect(text.stdout).not.toContain(settings.APP_KEY.slice(7))
  expect([...checks]).toEqual([
    'version',
    'settings',
    'key',
    'database',
    'integrity',
    'migrations',
    'jobs',
    'disk',
    'photos',
    'clock',
  ])
  expect(readdirSync(app.folder)).toEqual(before)
})

test('doctor tells all that is wrong at once, with exit code 1, and makes no database', async () => {
  const folder = emptyFolder()
  const mail = { MAIL_HOST: '127.0.0.1', MAIL_PORT: '1', MAIL_FROM_ADDRESS: 'a@x.test' }
  const weak = { APP_KEY: `base64:${Buffer.alloc(32).toString('base64')}` }
  const settings = { ...(await required()), ...mail, ...weak }
  const { code, stdout } = await run(['doctor'], { folder, settings })
  const wrong = [...stdout.matchAll(/^fail {2}(\w+): /gm)].map(([, check]) => check)
  expect([code, wrong]).toEqual([1, ['database', 'key', 'mail']])
  expect(readdirSync(folder)).toEqual([])
})

test('doctor with settings that cannot be used tells each, with exit code 3', async () => {
  const { code, stdout } = await run(['doctor'], { settings: { PORT: '70000' } })
  expect(code).toBe(3)
  expect(stdout).toMatch(/^fail {2}settings: PORT is "70000"\..* PORT=3000$/m)
  expect(stdout).toMatch(/^fail {2}settings: APP_KEY is not set\./m)
})

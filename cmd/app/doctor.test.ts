import { appName } from '../../web/contract/name.ts'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeBackup, withPhotos } from '../../internal/testing/database/backups.ts'
import { allUsers } from '../../internal/testing/database/rows.ts'
import {
  emptyFolder,
  otherUser,
  requiredSettings,
  run,
  serve,
} from '../../internal/testing/processes/executable.ts'
import type { Finding } from '../../internal/base/finding.ts'

test('doctor beside a running server exits with code 0 and changes no files', async () => {
  const settings = { ...(await requiredSettings()), APP_DEBUG: 'true', QUEUE_WORKERS: '0' }
  const app = await serve({ settings })
  const place = { folder: app.folder, settings }
  const before = readdirSync(app.folder)
  const [text, json] = await Promise.all([run(['doctor'], place), run(['doctor', '--json'], place)])
  const checks = new Set((JSON.parse(json.stdout) as Finding[]).map(({ check }) => check))
  expect([text.code, json.code, text.stderr, json.stderr]).toEqual([0, 0, '', ''])
  expect(text.stdout).toMatch(
    new RegExp(`^ok {4}version: ${appName} .*\nwarn {2}settings: APP_DEBUG is on`),
  )
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

test('doctor reports all failures at once with exit code 1 and creates no database', async () => {
  const folder = emptyFolder()
  const mail = { MAIL_HOST: '127.0.0.1', MAIL_PORT: '1', MAIL_FROM_ADDRESS: 'a@x.test' }
  const weak = { APP_KEY: `base64:${Buffer.alloc(32).toString('base64')}` }
  const settings = { ...(await requiredSettings()), ...mail, ...weak }
  const { code, stdout } = await run(['doctor'], { folder, settings })
  const wrong = [...stdout.matchAll(/^fail {2}(\w+): /gm)].map(([, check]) => check)
  expect([code, wrong]).toEqual([1, ['database', 'key', 'mail']])
  expect(readdirSync(folder)).toEqual([])
})

test('doctor fails and the server warns when other users may read a .env with a key', async () => {
  const folder = emptyFolder()
  const { APP_KEY, ...settings } = { ...(await requiredSettings()), QUEUE_WORKERS: '0' }
  const file = join(folder, '.env')
  writeFileSync(file, `APP_KEY=${APP_KEY}\n`)
  chmodSync(file, 0o644)
  const app = await serve({ folder, settings: { ...settings, APP_KEY } })
  const { code, stdout } = await run(['doctor'], { folder, settings })
  chmodSync(file, 0o600)
  const closed = await run(['doctor'], { folder, settings })
  const warning = `${file} is open to other users of this machine (mode 644), and holds secrets.`
  expect([code, closed.code]).toEqual([1, 0])
  expect(stdout).toMatch(
    new RegExp(`^fail  settings: ${warning.replace(/[().]/g, '.')} chmod `, 'm'),
  )
  expect(closed.stdout).not.toContain('open to other users of this machine')
  await expect
    .poll(() => app.lines)
    .toContainEqual(expect.objectContaining({ level: 'warn', message: warning }))
})

test('doctor fails when the group may read a .env that the user of the server owns', async () => {
  const user = otherUser()
  const folder = user.own(emptyFolder())
  writeFileSync(join(folder, '.env'), `APP_KEY=${(await requiredSettings()).APP_KEY}\n`)
  chmodSync(user.own(join(folder, '.env')), 0o640)
  const settings = { APP_URL: 'http://localhost:3000' }
  const { stdout } = await run(['doctor'], { folder, settings, user })
  expect(stdout).toMatch(/^fail {2}settings: .* \(mode 640\), and holds secrets\. chmod go= /m)
})

test('doctor reads the photos of accounts and names one that its user may not read', async () => {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const user = otherUser()
  const folder = user.own(emptyFolder())
  const settings = {
    ...(await requiredSettings()),
    FILES_PATH: 'files',
    TMPDIR: user.own(emptyFolder()),
  }
  await run(['restore', file], { folder, settings })
  const readable = await run(['doctor'], { folder, settings, user })
  const [newest] = (await allUsers(app.db)).toReversed().map(({ photo }) => photo ?? '')
  const path = join(folder, 'files', newest ?? '')
  chmodSync(path, 0)
  const { code, stdout } = await run(['doctor'], { folder, settings, user })
  expect(readable.stdout).not.toMatch(/^fail {2}photos: /m)
  expect(code).toBe(1)
  expect(stdout).toContain(
    `fail  photos: The photo ${newest} cannot be read: EACCES: permission denied, open '${path}'. Let the user of the server read it and the others there: chown -R <user> ${join(folder, 'files')}\n`,
  )
})

test('doctor reports every setting that cannot be used, with exit code 3', async () => {
  const { code, stdout } = await run(['doctor'], { settings: { PORT: '70000' } })
  expect(code).toBe(3)
  expect(stdout).toMatch(/^fail {2}settings: PORT is "70000"\..* PORT=3000$/m)
  expect(stdout).toMatch(/^fail {2}settings: APP_KEY is not set\./m)
})

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment } from '../../internal/base/settings/config.ts'
import { appName } from '../../web/contract/name.ts'
import {
  emptyFolder,
  otherUser,
  readOnlyFolder,
  required,
  run,
  serve,
} from '../../internal/testing/executable.ts'

test('it serves in an empty folder with no Node, no PATH and no node_modules', async () => {
  const app = await serve()
  const up = await fetch(`${app.origin}/up`)
  const home = await fetch(app.origin)
  const login = await fetch(`${app.origin}/login`)
  expect([up.status, await up.text()]).toEqual([200, 'up'])
  expect([home.status, login.status]).toEqual([200, 200])
  expect(existsSync(join(app.folder, `${appName}.db`))).toBe(true)
})

test('one line says version, address, database file and mail mode', async () => {
  const app = await serve()
  expect(app.lines.filter(({ message }) => message === 'serving')).toHaveLength(1)
  expect(app.start).toMatchObject({
    level: 'info',
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: `http://127.0.0.1:${app.port}`,
    url: app.origin,
    database: join(app.folder, `${appName}.db`),
    mail: 'log',
  })
})

test('the mail mode names the server that mail is sent through', async () => {
  const mail = { MAIL_HOST: 'smtp.example.com', MAIL_FROM_ADDRESS: 'app@example.com' }
  const app = await serve({ settings: mail })
  expect(app.start.mail).toBe('smtp smtp.example.com:587')
})

test('another user serves from a read-only folder, with the database elsewhere', async () => {
  const user = otherUser()
  const data = user.own(emptyFolder())
  const settings = { DB_PATH: join(data, 'accounts.db'), TMPDIR: data }
  const app = await serve({ folder: readOnlyFolder(), settings, user })
  const answer = await fetch(`${app.origin}/up`)
  expect(answer.status).toBe(200)
  expect(app.start.database).toBe(join(data, 'accounts.db'))
})

test('native add-ons leave no file behind', async () => {
  const settings = { TMPDIR: emptyFolder() }
  const app = await serve({ settings })
  // Draws on the second add-on too: the password is hashed, though no account has the email.
  const tried = await fetch(`${app.origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'nobody@example.com', password: 'correct horse' }),
    redirect: 'manual',
  })
  expect(tried.status).toBe(303)
  expect(readdirSync(settings.TMPDIR)).toEqual([])
  expect(readdirSync(app.folder).filter((name) => !name.startsWith(`${appName}.db`))).toEqual([])
})

test('nothing that it makes in a checkout is for version control', async () => {
  const folder = emptyFolder()
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', env: environment() })
  git('init', '--quiet')
  copyFileSync('.gitignore', join(folder, '.gitignore'))
  const settings = { ...(await required()), QUEUE_WORKERS: '1', FILES_PATH: 'files' }
  const app = await serve({ folder, settings })
  const made = () => readdirSync(folder).filter((name) => name.startsWith(`${appName}.db`))
  await expect.poll(made).toContainEqual(expect.stringContaining('-worker-'))
  const strange = git('status', '--porcelain', '--untracked-files=all')
  await run(['backup', 'a.tar'], { folder, settings })
  await app.stop()
  await run(['restore', 'a.tar'], { folder, settings })
  expect(made().join(' ')).toContain('.before-restore-')
  expect(strange).toBe('?? .gitignore\n')
  expect(git('status', '--porcelain', '--untracked-files=all')).toBe('?? .gitignore\n?? a.tar\n')
})

test('a port that is taken is told with what to do', async () => {
  const first = await serve()
  const settings = { ...(await required()), PORT: String(first.port) }
  const second = await run([], { settings })
  expect(second.code).toBe(1)
  expect(second.stderr).toBe(
    `${appName}: 127.0.0.1:${first.port} is taken by another program. Stop it, or set PORT to another port.\n`,
  )
})

test('a folder that photos cannot be kept in is told at the start, and all else is served', async () => {
  const folder = emptyFolder()
  const path = join(folder, `${appName}.db`, 'files')
  const app = await serve({ folder, settings: { FILES_PATH: path } })
  const told = () => app.lines.find(({ message }) => /where photos are kept failed/.test(message))
  await expect.poll(told).toMatchObject({ level: 'error' })
  expect(JSON.stringify(told())).toContain(`No file could be kept in ${path}`)
  expect((await fetch(`${app.origin}/login`)).status).toBe(200)
})

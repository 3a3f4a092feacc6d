import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/driver'
import type { Visit } from '../../../internal/testing/browser.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
  type Served,
} from '../../../internal/testing/processes/executable.ts'
import { ann, logIn, registration } from '../../../internal/testing/people.ts'
import { verifyEmails } from '../../../internal/testing/database/rows.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { beginTwoFactorSetup } from '../../../internal/testing/two-factor.ts'

const challenge = '/two-factor-challenge'

function newKey(): string {
  return `base64:${randomBytes(32).toString('base64')}`
}

/** Creates an account with two-factor login under a key, on a server that has stopped since. */
async function withTwoFactor(folder: string, key: string) {
  const app = await serve({ folder, settings: { APP_KEY: key } })
  const browser = app.browser()
  await browser.post('/register', registration(ann))
  const db = await openDatabase(app.database)
  onTestFinished(() => db.close())
  await verifyEmails(db, new Date())
  const secret = await beginTwoFactorSetup(browser)
  const code = codeAt(secret, new Date())
  const { flash } = await browser.post('/settings/two-factor/confirm', { code })
  await app.stop()
  return { secret, codes: flash.recoveryCodes ?? [] }
}

async function answerChallenge(
  app: Served,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  const browser = app.browser()
  await logIn(browser, ann)
  return browser.post(challenge, fields)
}

/** The next step's, since this one's code has turned two-factor login on. */
function nextCode(secret: string): string {
  return codeAt(secret, new Date(Date.now() + 30_000))
}

function messages({ lines }: Served): readonly string[] {
  return lines.map(({ message }) => message)
}

test('a start seals two-factor values with the new key, and they then open without the old one', async () => {
  const folder = emptyFolder()
  const [older, newer] = [newKey(), newKey()]
  const { secret, codes } = await withTwoFactor(folder, older)
  const bothKeys = { APP_KEY: newer, APP_PREVIOUS_KEYS: older }
  const rotatingServer = await serve({ folder, settings: bothKeys })
  await rotatingServer.stop()
  const rotatedServer = await serve({ folder, settings: { APP_KEY: newer } })
  const byCode = await answerChallenge(rotatedServer, { code: nextCode(secret) })
  const byRecovery = await answerChallenge(rotatedServer, { recovery_code: codes[0] ?? '' })
  expect(messages(rotatingServer)).toContain('two-factor values sealed again')
  expect([byCode.user?.name, byRecovery.user?.name]).toEqual(['Ann', 'Ann'])
})

test('with only a new key codes are refused, and users disable-two-factor lets users log in without one', async () => {
  const folder = emptyFolder()
  const { secret } = await withTwoFactor(folder, newKey())
  const settings = { ...(await requiredSettings()), APP_KEY: newKey() }
  const app = await serve({ folder, settings })
  const refusedLogin = await answerChallenge(app, { code: nextCode(secret) })
  const userList = await run(['users', 'list', '--all', '--json'], { folder, settings })
  const doctor = await run(['doctor'], { folder, settings })
  await run(['users', 'disable-two-factor', '1'], { folder, settings })
  const visit = await logIn(app.browser(), ann)
  expect(refusedLogin.user).toBeNull()
  expect(userList.stdout).toContain('"twoFactor":true')
  expect(doctor.stdout).toContain('No key opens 2 values of two-factor logins')
  expect(app.lines).toContainEqual(
    expect.objectContaining({
      message: 'two-factor values that no key opens',
      user: 1,
      advice: expect.stringContaining('leaked APP_KEY'),
    }),
  )
  expect(visit.user?.name).toBe('Ann')
})

test('a start on HOST=127.0.0.1 and PORT=0 seals again what a leaked previous key had sealed', async () => {
  const folder = emptyFolder()
  const [leaked, settings] = [newKey(), { APP_KEY: newKey(), APP_URL: 'https://x.test' }]
  await withTwoFactor(folder, leaked)
  const otherSettings = { HOST: '127.0.0.1', PORT: '0', APP_PREVIOUS_KEYS: leaked }
  const app = await serve({ folder, settings: { ...settings, ...otherSettings } })
  await expect.poll(() => messages(app)).toContain('two-factor values sealed again')
  await app.stop()
  const doctor = await run(['doctor'], { folder, settings })
  expect(doctor.stdout).toContain('APP_KEY opens all that is sealed, 2 values.')
})

test('two-factor values that no key opens are logged and do not stop the start', async () => {
  const folder = emptyFolder()
  await withTwoFactor(folder, newKey())
  const app = await serve({ folder, settings: { APP_KEY: newKey(), APP_PREVIOUS_KEYS: newKey() } })
  const up = await fetch(`${app.origin}/up`)
  const { code } = await app.stop()
  expect([up.status, code]).toEqual([200, 0])
  expect(app.lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      message: 'two-factor values that no key opens',
      values: 2,
      advice: expect.stringMatching(/APP_PREVIOUS_KEYS; if that one leaked, do as README\.md says/),
    }),
  )
})

import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requiredSettings, run } from '../../../internal/testing/processes/executable.ts'
import { account, startSmtp, type Smtp } from '../../../internal/testing/network/smtp.ts'
import { testMail } from './mail-test.ts'

const certificate = join(import.meta.dirname, '../../../testdata/smtp/certificate.pem')

/** Runs `app mail test` against a server, with its own settings. */
async function mailTest(
  smtp: Pick<Smtp, 'settings'>,
  overrides: Readonly<Record<string, string>> = {},
) {
  const mail = {
    ...smtp.settings,
    MAIL_HOST: 'localhost',
    MAIL_USERNAME: account.username,
    MAIL_PASSWORD: account.password,
    NODE_EXTRA_CA_CERTS: certificate,
  }
  return run(['mail', 'test', 'ann@x.test'], {
    settings: { ...(await requiredSettings()), ...mail, ...overrides },
  })
}

test('mail test sends a mail and prints the SMTP conversation with secrets masked', async () => {
  const server = await startSmtp({ tls: 'offered', wantsAccount: true })
  const { code, stdout, stderr } = await mailTest(server)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/C: STARTTLS\nS: 220 .*\n-- the certificate is of localhost/)
  expect(stdout).toMatch(/C: AUTH PLAIN \[secret\]\nS: 235 .*\nC: MAIL FROM:<app@x\.test>/)
  expect(stdout).toMatch(/The server took the mail to ann@x\.test\./)
  expect(server.received).toMatchObject([{ to: ['ann@x.test'], user: account.username }])
})

test('mail test that fails exits with code 1 and prints which settings to check, and no password', async () => {
  const server = await startSmtp({ tls: 'offered', wantsAccount: true })
  const { code, stdout, stderr } = await mailTest(server, { MAIL_PASSWORD: 'open barley' })
  expect(code).toBe(1)
  expect(stdout).toContain('S: 535 535 [secret] is not the password\n')
  expect(stderr).toContain('Check MAIL_USERNAME and MAIL_PASSWORD.')
  expect(stdout + stderr).not.toContain('barley')
})

test('mail test that times out exits with code 1 and points to the last line of the conversation', async () => {
  const server = await startSmtp({ hangs: 'content' })
  const settings = { ...(await requiredSettings()), ...server.settings }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const timeout = new AbortController()
  // Node's own timer, which a test's clock does not move.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  const logSpy = vi.spyOn(console, 'log').mockReturnValue()
  const errorSpy = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllEnvs()
    for (const spy of [limit, logSpy, errorSpy]) spy.mockRestore()
  })
  const exitCode = testMail('ann@x.test')
  await expect.poll(() => logSpy.mock.calls.flat()).toContain('C: DATA')
  timeout.abort()
  expect(await exitCode).toBe(1)
  expect(errorSpy.mock.calls).toEqual([
    [
      `127.0.0.1:${server.port} did not take the mail: it took longer than 60 seconds\nThe mail may have been taken all the same: the last line above tells how far it got. Check what the server logged, and try again.`,
    ],
  ])
})

test('mail test fails without MAIL_HOST, and two recipients are wrong usage', async () => {
  const settings = await requiredSettings()
  const withoutServer = await run(['mail', 'test', 'ann@x.test'], { settings })
  const twoRecipients = await run(['mail', 'test', 'ann@x.test,bob@x.test'], { settings })
  expect(withoutServer).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('MAIL_HOST is not set'),
  })
  expect(twoRecipients).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: /) })
})

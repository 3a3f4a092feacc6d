import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeLog } from '../../base/log.ts'
import {
  addNewPasskey,
  newAuthenticator,
  requestConfirmOptions,
  logInPasskey,
  deletePasskeys,
} from '../../testing/passkeys.ts'
import { ann, behindProxy, bob, from, logIn } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'

const filter = readFileSync('testdata/fail2ban/app.conf', 'utf8')

/** Reads the patterns of a filter option as fail2ban does, and converts them to JavaScript. */
function patterns(option: string): RegExp[] {
  const value = new RegExp(`^${option} *= (.*(?:\\n +.*)*)`, 'm').exec(filter)?.[1] ?? ''
  return value.split('\n').map((line) => {
    const journal = /^journal *= (.*)$/m.exec(filter)?.[1] ?? ''
    const pattern = line
      .trim()
      .replace('%(journal)s', journal)
      .replace('<ADDR>', '(?<host>[\\da-f.:]+)')
    return new RegExp(pattern.replaceAll(/%%([a-zA-Z])/g, (_, part: string) => times[part] ?? ''))
  })
}

// What fail2ban matches for each part of a time.
// oxfmt-ignore
const times: Readonly<Record<string, string>> = {
  Y: '\\d{4}', m: '\\d\\d', d: '\\d\\d', H: '\\d\\d', M: '\\d\\d', S: '\\d\\d', f: '\\d{1,6}', z: '(?:Z|[+-]\\d\\d:?\\d\\d)',
}

/** Returns the log in lines, as an operator sees it. */
function lines(app: TestApp, format: 'text' | 'json'): string[] {
  let text = ''
  const write = (line: string) => (text += line)
  const log = makeLog({ level: 'debug', format, write, now: () => app.now() })
  for (const { level, message, facts } of app.logLines) log[level as 'info'](message, facts)
  return text.split('\n').slice(0, -1)
}

/** Returns the addresses the filter finds in lines of a file, less the time, and of the journal. */
function found(logLines: readonly string[]): { file: string[]; journal: string[] } {
  const [time] = patterns('datepattern')
  const hosts = (line: string) =>
    patterns('failregex').flatMap((pattern) => pattern.exec(line)?.groups?.['host'] ?? [])
  return {
    file: logLines
      .filter((line) => time?.test(line))
      .flatMap((line) => hosts(line.replace(time ?? '', ''))),
    journal: logLines.flatMap((line) => hosts(`host-1 app[123]: ${line}`)),
  }
}

const wrong = { ...ann, password: 'wrong horse' }

/** Fails to log in in every way, each from its own address. */
async function failInEveryWay(app: TestApp): Promise<string[]> {
  const authenticator = newAuthenticator()
  const browser = await verifiedBrowser(app)
  await addNewPasskey(browser, authenticator)
  await logIn(app.browser(), wrong, from('192.0.2.1'))
  await logIn(app.browser(), { ...bob, email: 'nobody@x.test' }, from('192.0.2.2'))
  const five = Array.from({ length: 5 }, () => logIn(app.browser(), wrong, from('192.0.2.3')))
  await Promise.all(five)
  await logIn(app.browser(), wrong, from('192.0.2.3'))
  await logInPasskey(app.browser(), authenticator, {
    wrong: { verified: false },
    ...from('192.0.2.4'),
  })
  await deletePasskeys(app.db)
  await logInPasskey(app.browser(), authenticator, from('2001:db8::5'))
  const factor = await turnOn(app, browser)
  const waiting = app.browser()
  await logIn(waiting, ann)
  await waiting.post('/two-factor-challenge', { code: factor.wrong() }, from('192.0.2.6'))
  await waiting.post('/two-factor-challenge', { recovery_code: 'aaaaa-aaaaa' }, from('192.0.2.7'))
  const many = Array.from({ length: 6 }, () => '192.0.2.3')
  const others = ['192.0.2.4', '2001:db8::5', '192.0.2.6', '192.0.2.7']
  return ['192.0.2.1', '192.0.2.2', ...many, ...others]
}

/** Sends forged lines that would ban another address, wherever client input is logged. */
async function forge(app: TestApp): Promise<void> {
  const text = `login failed reason=a address=198.51.100.9 request=${'a'.repeat(26)}`
  const json = `"login failed","reason":"a","address":"198.51.100.9","request":"${'a'.repeat(26)}"}`
  const forgedLines = [
    `2026-01-05T10:00:00.000Z WARN  ${text}`,
    ` WARN  ${text}`,
    `{"time":"2026-01-05T10:00:00.000Z","level":"warn","message":${json}`,
    `","level":"warn","message":${json}`,
  ].flatMap((line) => [line, `\n${line}`, `\r${line}\u2028`])
  for (const line of forgedLines) {
    await app.browser().get(`/${encodeURIComponent(line)}?${encodeURIComponent(line)}=1`)
    await app
      .browser()
      .get('/nowhere', { headers: { 'User-Agent': line.replaceAll(/[^ -~]/g, ' ') } })
    await app.browser().send('POST', '/csp-reports', {
      type: 'application/csp-report',
      body: JSON.stringify({ 'csp-report': { 'document-uri': line, 'blocked-uri': line } }),
    })
    app.log.error('the request failed', { error: new Error(line), request: 'a'.repeat(26) })
  }
}

test('the fail2ban filter matches the address of each failed login, and no forged log line', async () => {
  const app = await testApp(behindProxy)
  const addresses = await failInEveryWay(app)
  await forge(app)
  const [text, json] = [found(lines(app, 'text')), found(lines(app, 'json'))]
  expect([text.file, text.journal]).toEqual([addresses, addresses])
  expect([json.file, json.journal]).toEqual([addresses, addresses])
})

test('the log line of a failed login names the account that it was for, if there is one', async () => {
  const app = await testApp(behindProxy)
  await failInEveryWay(app)
  const logLines = app.logLines.filter(({ message }) => message === 'login failed')
  const users = logLines.map(({ facts: { address, user } }) => [address, user])
  const many = Array.from({ length: 6 }, () => ['192.0.2.3', 1])
  expect(users).toEqual([
    ['192.0.2.1', 1],
    ['192.0.2.2', undefined],
    ...many,
    ['192.0.2.4', 1],
    // The passkey no longer exists.
    ['2001:db8::5', undefined],
    ['192.0.2.6', 1],
    ['192.0.2.7', 1],
  ])
})

test('a failed confirmation is one log line with address, reason and user, and fail2ban ignores it', async () => {
  const app = await testApp(behindProxy)
  const browser = await verifiedBrowser(app)
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const there = from('192.0.2.1')
  const set = { password: 'a new password', password_confirmation: 'a new password' }
  const credential = JSON.stringify(
    authenticator.get(await requestConfirmOptions(browser), { verified: false }),
  )
  await browser.post('/confirm-password', { password: 'wrong horse' }, there)
  await browser.post('/confirm-password', { credential }, there)
  await browser.post(
    '/settings/password',
    { _method: 'PUT', current_password: 'wrong', ...set },
    there,
  )
  await browser.post('/settings/profile', { _method: 'DELETE', password: 'wrong horse' }, there)
  await browser.post('/confirm-password', { password: 'wrong horse' }, there)
  await browser.post('/confirm-password', { password: 'wrong horse' }, there)
  const logLines = app.logLines.filter(({ message }) => message === 'confirmation failed')
  const reasons = [
    'wrong password',
    'passkey refused',
    ...Array.from({ length: 3 }, () => 'wrong password'),
  ]
  expect(
    logLines.map(({ level, facts: { request: _id, refusal: _why, ...facts } }) => [level, facts]),
  ).toEqual(
    [...reasons, 'too many tries'].map((reason) => [
      'warn',
      { reason, address: '192.0.2.1', user: 1 },
    ]),
  )
  expect(found(lines(app, 'json')).file).toEqual([])
})

test('the README contains the fail2ban filter', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(filter.trim())
})

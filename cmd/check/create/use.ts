import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { Authenticator } from '../../../internal/testing/authenticator.ts'
import { Browser, type Visit } from '../../../internal/testing/browser.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { paths } from '../../../web/contract/paths.ts'
import { Instance, type Line, type Settings } from '../cluster/instance.ts'

const ann = { name: 'Ann', email: 'ann@example.com' }
const password = 'correct horse battery'
// Milliseconds.
const longestMail = 30_000

/** Starts what a project has built and does with it what accounts are for. Throws at the first answer that is another than it should be. */
export async function use(project: string, name: string, more: Settings): Promise<void> {
  const home = join(project, 'dist/home')
  mkdirSync(home)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const lines: Line[] = []
  const settings = {
    HOME: home,
    APP_URL: origin,
    APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
    PORT: String(port),
    LOG_FORMAT: 'json',
    ...more,
  }
  const server = new Instance(join(project, 'dist', name), settings, (line) => lines.push(line))
  await server.start()
  try {
    const version = String(lines.find(({ message }) => message === 'serving')?.['version'])
    const browser = new Browser({ origin, port, version })
    await register(browser, lines)
    must('the session’s cookie has the name of the app', browser.cookies.has(`${name}_session`))
    await logInByCode(browser)
    await logInByPasskey(browser, origin)
    await callByToken(browser, name)
  } finally {
    await server.stop()
  }
}

async function register(browser: Browser, lines: readonly Line[]): Promise<void> {
  const form = { ...ann, password, password_confirmation: password }
  await browser.get(paths.register)
  lead(await browser.post(paths['register.store'], form), paths['verification.notice'])
  const { pathname, search } = new URL(await mailedLink(lines))
  const visit = await browser.get(pathname + search)
  must('the email is verified', visit.user?.emailVerifiedAt !== null)
}

/** The link in a mail: without a mail server the app writes mails into its log, line by line. */
async function mailedLink(lines: readonly Line[]): Promise<string> {
  const until = performance.now() + longestMail
  while (performance.now() < until) {
    const found = lines.flatMap(({ message }) => /http\S+\/verify-email\/\S+/.exec(message) ?? [])
    if (found[0]) return found[0]
    await pause(20)
  }
  throw new Error('No mail came that verifies the email.')
}

async function logInByCode(browser: Browser): Promise<void> {
  const visit = await browser.post(paths['two-factor.enable'])
  const { setup } = visit.page.props['twoFactor'] as { setup: { secret: string } | null }
  const code = codeAt(setup?.secret ?? '', new Date())
  const confirmed = await browser.post(paths['two-factor.confirm'], { code })
  const [recoveryCode = ''] = confirmed.flash.recoveryCodes ?? []
  await browser.post(paths.logout)
  const { email } = ann
  lead(await browser.post(paths['login.store'], { email, password }), paths['two-factor.login'])
  // A recovery code, since the code of this half minute was used to turn two-factor login on.
  const form = { recovery_code: recoveryCode }
  lead(await browser.post(paths['two-factor.login.store'], form), paths.dashboard)
}

async function logInByPasskey(browser: Browser, origin: string): Promise<void> {
  const authenticator = new Authenticator({ origin })
  const wanted = await browser.postJson(paths['passkeys.options'], {})
  const made = authenticator.create(wanted.json as PublicKeyCredentialCreationOptionsJSON)
  await browser.postJson(paths['passkeys.store'], { name: 'Key', credential: made })
  await browser.post(paths.logout)
  const asked = await browser.postJson(paths['login.passkey.options'], {})
  const credential = authenticator.get(asked.json as PublicKeyCredentialRequestOptionsJSON)
  await browser.postJson(paths['login.passkey.store'], { credential })
  lead(await browser.get(paths.dashboard), paths.dashboard)
}

async function callByToken(browser: Browser, name: string): Promise<void> {
  const form = { name: 'Mine', abilities: 'user:read', expiry: '30' }
  const { body } = await browser.post(paths['tokens.store'], form)
  const token = new RegExp(`${name}_[a-z2-7]{52}`).exec(body)?.[0]
  must('a token begins with the name of the app', token !== undefined)
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await browser.send('GET', paths['api.user'], { headers })
  must('the API takes the token', answer.status === 200 && answer.body.includes(ann.email))
}

function lead(visit: Visit, path: string): void {
  must(
    `${visit.url} is ${path}: ${visit.status} ${visit.body.slice(0, 500)}`,
    visit.status === 200 && visit.url.split('?')[0] === path,
  )
}

function must(what: string, holds: boolean): void {
  if (!holds) throw new Error(`This does not hold: ${what}`)
}

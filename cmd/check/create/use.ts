import { join } from 'node:path'
import { Authenticator } from '../../../internal/testing/authenticator.ts'
import { Browser, type Visit } from '../../../internal/testing/browser.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { paths } from '../../../web/contract/paths.ts'
import type { Settings } from '../instance.ts'
import { Server } from '../server.ts'

const ann = { name: 'Ann', email: 'ann@example.com' }
const password = 'correct horse battery'

/** Starts what a project has built, and uses it as people use accounts. Throws at the first unexpected answer. */
export async function use(project: string, name: string, extraSettings: Settings): Promise<void> {
  const server = await Server.start(
    join(project, 'dist', name),
    join(project, 'dist'),
    extraSettings,
  )
  const { origin, port, version } = server
  try {
    const browser = new Browser({ origin, port, version })
    await register(browser, server)
    must('the session’s cookie has the name of the app', browser.cookies.has(`${name}_session`))
    await logInByCode(browser)
    await logInByPasskey(browser, origin)
    await callByToken(browser, name)
  } finally {
    await server.stop()
  }
}

async function register(browser: Browser, server: Server): Promise<void> {
  const form = { ...ann, password, password_confirmation: password }
  await browser.get(paths.register)
  mustLeadTo(await browser.post(paths['register.store'], form), paths['verification.notice'])
  const { pathname, search } = new URL(await server.mailedLink(ann.email))
  const visit = await browser.get(pathname + search)
  must('the email is verified', visit.user?.emailVerifiedAt !== null)
}

async function logInByCode(browser: Browser): Promise<void> {
  const visit = await browser.post(paths['two-factor.enable'])
  const { setup } = visit.page.props['twoFactor'] as { setup: { secret: string } | null }
  const code = codeAt(setup?.secret ?? '', new Date())
  const confirmed = await browser.post(paths['two-factor.confirm'], { code })
  const [recoveryCode = ''] = confirmed.flash.recoveryCodes ?? []
  await browser.post(paths.logout)
  const { email } = ann
  mustLeadTo(
    await browser.post(paths['login.store'], { email, password }),
    paths['two-factor.login'],
  )
  // A recovery code, since this half minute's code was used to turn two-factor on.
  const form = { recovery_code: recoveryCode }
  mustLeadTo(await browser.post(paths['two-factor.login.store'], form), paths.dashboard)
}

async function logInByPasskey(browser: Browser, origin: string): Promise<void> {
  const authenticator = new Authenticator({ origin })
  const creationOptions = await browser.postJson(paths['passkeys.options'], {})
  const created = authenticator.create(
    creationOptions.json as PublicKeyCredentialCreationOptionsJSON,
  )
  await browser.postJson(paths['passkeys.store'], { name: 'Key', credential: created })
  await browser.post(paths.logout)
  const loginOptions = await browser.postJson(paths['login.passkey.options'], {})
  const credential = authenticator.get(loginOptions.json as PublicKeyCredentialRequestOptionsJSON)
  await browser.postJson(paths['login.passkey.store'], { credential })
  mustLeadTo(await browser.get(paths.dashboard), paths.dashboard)
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

function mustLeadTo(visit: Visit, path: string): void {
  must(
    `${visit.url} is ${path}: ${visit.status} ${visit.body.slice(0, 500)}`,
    visit.status === 200 && visit.url.split('?')[0] === path,
  )
}

function must(statement: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`This does not hold: ${statement}`)
}

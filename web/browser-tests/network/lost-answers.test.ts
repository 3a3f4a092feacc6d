import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { serve, type Served } from '../../../internal/testing/processes/executable.ts'
import { openProxy } from '../../../internal/testing/network/open-proxy.ts'
import { ann } from '../../../internal/testing/people.ts'
import { allUsers } from '../../../internal/testing/database/rows.ts'
import {
  type Profile,
  openProfile,
  registerVerified,
} from '../../../internal/testing/chromium/tab.ts'
import { allTokens } from '../../../internal/testing/database/token-rows.ts'
import { VirtualPasskeys } from '../../../internal/testing/chromium/virtual-passkeys.ts'
import { buttons } from '#words/buttons'
import { clientWords } from '#words/client/client'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { offline } from '#words/client/offline'
import { tokens } from '#words/settings/tokens'
import type { Db } from '../../../internal/db/db.ts'

// What was done, but not answered, since the connection broke before the answer.

const chromium = chromiumOfFile()
const badGateway = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

test('a form that the browser sends again after a lost response is executed once and answered', async () => {
  const { page, app, loseAnswers, queryDatabase } = await serveBehindProxy()
  await registerVerified(app, page, ann)
  await page.goto('/settings/tokens')
  loseAnswers(1)
  await createToken(page)
  await page.getByRole('status').getByText(flashWords.tokenMade).waitFor()
  expect(await queryDatabase(allTokens)).toHaveLength(1)
  await awaitRepeatedAnswer(app)
})

test('a new passkey that is sent again after a lost response is answered as before', async () => {
  const { page, app, loseAnswers } = await serveBehindProxy()
  await VirtualPasskeys.of(page)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  loseAnswers(1, /credential/)
  await page.getByRole('button', { name: buttons.addPasskey }).click()
  await page.getByRole('status').getByText(flashWords.passkeyAdded).waitFor()
  await awaitRepeatedAnswer(app)
})

test('a form that the user submits again after its response is executed twice', async () => {
  const { page, app, queryDatabase } = await serveBehindProxy()
  await registerVerified(app, page, ann)
  await page.goto('/settings/tokens')
  for (const count of [1, 2]) {
    await createToken(page)
    await expect.poll(() => page.locator('#tokens li').count()).toBe(count)
  }
  expect(await queryDatabase(allTokens)).toHaveLength(2)
})

test.each(['POST', 'GET'])(
  'after a proxy’s error response to a %s, a form that the user submits again is executed once',
  async (method) => {
    const { page, app, loseAnswers, queryDatabase } = await serveBehindProxy()
    await registerVerified(app, page, ann)
    await page.goto('/settings/tokens')
    loseAnswers(Infinity, new RegExp(`^${method} `), badGateway)
    await createToken(page)
    await page.getByRole('alert').getByText(clientWords.notAPage).waitFor()
    loseAnswers(0)
    await page.getByRole('button', { name: tokens.create }).click()
    await page.getByRole('status').getByText(flashWords.tokenMade).waitFor()
    expect(await queryDatabase(allTokens)).toHaveLength(1)
  },
)

test('after a lost response, a form that the user submits again is executed once and answered', async () => {
  const { page, loseAnswers, queryDatabase } = await serveBehindProxy()
  loseAnswers(Infinity)
  await fillInRegistration(page)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('status').getByText(offline.backUnsure).waitFor()
  loseAnswers(0)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  expect(await queryDatabase(allUsers)).toHaveLength(1)
})

test('a form that is never answered is given up after 30 seconds, and submitted again is executed once', async () => {
  const { page, queryDatabase } = await serveBehindProxy()
  await page.clock.install()
  await fillInRegistration(page)
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  await page.route('**/register', async (route) => {
    if (route.request().headers()['x-page-press'] === undefined) return route.fallback()
    await route.fetch({ maxRedirects: 0 })
    resolve()
  })
  const button = page.getByRole('button', { name: buttons.createAccount })
  await button.click()
  await isDone
  await page.clock.fastForward(10_000)
  expect(await button.getAttribute('aria-busy')).toBe('true')
  await page.clock.fastForward(20_000)
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await button.click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  expect(await queryDatabase(allUsers)).toHaveLength(1)
})

/** Opens a tab that reaches the server through a proxy that loses answers. */
async function serveBehindProxy(): Promise<
  Profile & {
    readonly app: Served
    /** Breaks the connection at the answers to the next such submits, or sends another one `instead`. */
    readonly loseAnswers: (times: number, request?: RegExp, instead?: string) => unknown
    readonly queryDatabase: <Rows>(query: (db: Db) => Promise<Rows>) => Promise<Rows>
  }
> {
  const port = await freePort()
  let losing = { times: 0, request: /^/, instead: '' }
  const proxy = await openProxy(`http://127.0.0.1:${port}`, {}, ({ client, server }) => {
    let requestText = ''
    server.pipe(client)
    client.on('data', (chunk: Buffer) => {
      const { request, instead } = losing
      // A body comes with its headers or after them.
      requestText = chunk.includes(' HTTP/1.1\r\n') ? String(chunk) : requestText + String(chunk)
      if (losing.times > 0 && requestText.includes('X-Page-Press') && request.test(requestText)) {
        losing.times--
        server
          .unpipe()
          .once('data', () => (instead ? client.end(instead) : client.destroy()))
          .resume()
      }
      server.write(chunk)
    })
  })
  onTestFinished(proxy.close)
  const app = await serve({
    settings: {
      PORT: String(port),
      APP_URL: proxy.url.replace(/\/\/.*:(\d+).*/, '//localhost:$1'),
    },
  })
  const allowed = /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of 502/
  const profile = await openProfile(chromium(), app, { allowed })
  const queryDatabase = async <Rows>(query: (db: Db) => Promise<Rows>) => {
    const db = await openDatabase(app.database)
    const rows = await query(db)
    await db.close()
    return rows
  }
  return {
    app,
    ...profile,
    queryDatabase,
    loseAnswers: (times, request = /^/, instead = '') => (losing = { times, request, instead }),
  }
}

/** Waits until the log, which is written after the answer, has one submit that was answered as before. */
async function awaitRepeatedAnswer(app: Served): Promise<void> {
  await expect.poll(() => app.lines.filter(({ again }) => again !== undefined)).toHaveLength(1)
}

/** Fills in the register form. */
async function fillInRegistration(page: Profile['page']): Promise<void> {
  await page.goto('/register')
  for (const [label, value] of [
    [labels.name, ann.name],
    [labels.email, ann.email],
    [labels.password, ann.password],
    [labels.confirmPassword, ann.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
}

async function createToken(page: Profile['page']): Promise<void> {
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
}

import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { freePort } from '../internal/base/program/free-port.ts'
import { chromiumOfFile } from '../internal/testing/chromium.ts'
import { serve, type Served } from '../internal/testing/executable.ts'
import { openProxy } from '../internal/testing/open-proxy.ts'
import { ann } from '../internal/testing/people.ts'
import { allUsers } from '../internal/testing/rows.ts'
import { type Profile, profile, registerVerified } from '../internal/testing/tab.ts'
import { allTokens } from '../internal/testing/token-rows.ts'
import { buttons } from '#words/buttons'
import { clientWords } from '#words/client'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { mailSent } from '#words/mail-sent'
import { offline } from '#words/offline'
import { tokens } from '#words/tokens'
import type { Db } from '../internal/db/db.ts'

// What was done, and nobody was told of, since the connection broke before the answer.

const chromium = chromiumOfFile()

test('a form that the browser sends again by itself is done once, and its answer shown', async () => {
  const { page, app, loseAnswers, ask } = await behindWay()
  await registerVerified(app, page, ann)
  await page.goto('/settings/tokens')
  loseAnswers(1)
  await makeToken(page)
  await page.getByRole('status').getByText(flashWords.tokenMade).waitFor()
  expect(await ask(allTokens)).toHaveLength(1)
  expect(app.lines.filter(({ again }) => again !== undefined)).toHaveLength(1)
})

test('who presses again what had no answer is answered, and it is done once', async () => {
  const { page, loseAnswers, ask } = await behindWay()
  loseAnswers(Infinity)
  await fillIn(page)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('status').getByText(offline.backUnsure).waitFor()
  loseAnswers(0)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  expect(await ask(allUsers)).toHaveLength(1)
})

test('a form that is never answered is given up after half a minute, and pressed again it is done once', async () => {
  const { page, ask } = await behindWay()
  await page.clock.install()
  await fillIn(page)
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
  expect(await ask(allUsers)).toHaveLength(1)
})

/** A tab that comes to the server by a way on which answers are lost. */
async function behindWay(): Promise<
  Profile & {
    readonly app: Served
    /** Of the next so many presses: the connection breaks as they are answered. */
    readonly loseAnswers: (times: number) => void
    readonly ask: <Rows>(of: (db: Db) => Promise<Rows>) => Promise<Rows>
  }
> {
  const port = await freePort()
  let losing = 0
  const way = await openProxy(`http://127.0.0.1:${port}`, {}, ({ client, server }) => {
    server.pipe(client)
    client.on('data', (part: Buffer) => {
      if (losing > 0 && part.includes('X-Page-Press')) {
        losing--
        server
          .unpipe()
          .once('data', () => client.destroy())
          .resume()
      }
      server.write(part)
    })
  })
  onTestFinished(way.close)
  const app = await serve({ settings: { PORT: String(port), APP_URL: new URL(way.url).origin } })
  const tab = await profile(chromium(), app, { may: /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/ })
  const ask = async <Rows>(of: (db: Db) => Promise<Rows>) => {
    const db = await openDatabase(app.database)
    const rows = await of(db)
    await db.close()
    return rows
  }
  return { app, ...tab, ask, loseAnswers: (times) => void (losing = times) }
}

/** Fills in the register form. */
async function fillIn(page: Profile['page']): Promise<void> {
  await page.goto('/register')
  for (const [label, value] of [
    [labels.name, ann.name],
    [labels.email, ann.email],
    [labels.password, ann.password],
    [labels.confirmPassword, ann.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
}

async function makeToken(page: Profile['page']): Promise<void> {
  await page.getByLabel(labels.name).fill('Deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
}

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import { ann } from '../internal/testing/people.ts'
import { failOnce, logIn, registerVerified, visited } from '../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { forgotPassword } from '#words/recover'
import { login } from '#words/login'

const chromium = chromiumOfFile()
// What was on its way is ended.
const may = { may: /ERR_FAILED|dynamically imported|Error: \/assets\/.*css/ }
const elsewhere = 'http://elsewhere.test/'

test('whoever leaves while the script of a page is on its way is not taken back', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  await leave(page, /\/card-/, () =>
    page.getByRole('link', { name: buttons.createAccount }).click(),
  )
})

test('whoever leaves while a page that was gone back to is on its way is not taken back', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByText(forgotPassword.lead).waitFor()
  await leave(page, /\/login$/, () =>
    page.evaluate(() => {
      // No page that was kept can be read.
      localStorage.setItem('historyCleared', 'now')
      history.back()
    }),
  )
})

test('whoever leaves while what makes a passkey is on its way is not taken back', async () => {
  const { page, app } = await visited(chromium(), may)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await leave(page, /\/ceremony-/, () =>
    page.getByRole('button', { name: buttons.addPasskey }).click(),
  )
})

test('whoever leaves while a page is on its way is not told that the server is gone', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  const link = page.getByRole('link', { name: buttons.createAccount })
  expect(await leave(page, /\/register$/, () => link.click())).toEqual([])
})

test('whoever leaves while a form is on its way is not told that the server is gone', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  expect(await leave(page, /\/login$/, () => logIn(page, ann))).toEqual([])
})

test('whoever leaves while a passkey is asked for is not told that the server is gone', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  const button = page.getByRole('button', { name: buttons.logInPasskey })
  expect(await leave(page, /\/login\/passkey\/options$/, () => button.click())).toEqual([])
})

test('whoever came back from a file goes on as before', async () => {
  const { page } = await visited(chromium(), may)
  await page.goto('/login')
  // The browser begins to leave the page, and stays on it.
  await page.evaluate(() => dispatchEvent(new Event('beforeunload')))
  await failOnce(page, /\/card-/)
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: buttons.createAccount }).waitFor()
})

/**
 * Leaves for another site while a request is on its way that the work makes, and returns what the page says meanwhile.
 * The request ends as the leaving begins, which is how Firefox and WebKit have it.
 */
async function leave(page: Page, asked: RegExp, work: () => Promise<unknown>): Promise<string[]> {
  const begun = Promise.withResolvers<void>()
  // Of a page that is being left nothing can be asked: it tells by itself.
  const said: string[] = []
  page.on('console', (line) => void (line.type() === 'debug' && said.push(line.text())))
  await page.evaluate(() => {
    const watching = new MutationObserver(() => {
      for (const alert of document.querySelectorAll('[role=alert]'))
        console.debug(alert.textContent)
    })
    watching.observe(document.body, { childList: true, subtree: true })
  })
  const ended = page.waitForEvent('requestfailed', (request) => asked.test(request.url()))
  await page.route(asked, async (route) => {
    await begun.promise
    await route.abort()
  })
  await page.route(elsewhere, async (route) => {
    begun.resolve()
    await ended
    await route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' })
  })
  await Promise.all([page.waitForRequest(asked), work()])
  await page.evaluate((address) => location.assign(address), elsewhere)
  await page.waitForURL(elsewhere)
  return said.filter(Boolean)
}

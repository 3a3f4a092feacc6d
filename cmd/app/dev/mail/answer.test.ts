import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { folderMailer } from '../../../../internal/base/mailer/folder-mailer.ts'
import { chromiumOfFile } from '../../../../internal/testing/chromium/chromium.ts'
import { temporaryFolder } from '../../../../internal/testing/database/database.ts'
import type { Message } from '../../../../internal/base/mail.ts'
import { answerMail } from './answer.ts'
import { mailFolder } from './folder.ts'

const chromium = chromiumOfFile()

const message: Message = {
  from: { address: 'app@x.test', name: 'The app' },
  to: [{ address: 'ann@x.test', name: 'Ann' }],
  bcc: [{ address: 'eve@x.test' }],
  subject: 'Good <news>',
  text: 'Hello Ann,\n\nOpen https://x.test/verify/1.b?a=1&b=2. Or not.\n',
  html: '<p>Hello <b>Ann</b>, <a href="http://localhost/elsewhere">open it</a></p><script>document.title = "run"</script>',
}

/** Serves a mailbox with these mails until the end of the test. */
async function opened(...mails: readonly Message[]) {
  const folder = temporaryFolder()
  const box = folderMailer(folder, () => {})
  for (const mail of mails) await box.send(mail)
  const server = createServer((request, response) => {
    void answerMail(request.url ?? '', response, folder)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://localhost:${typeof address === 'object' && address ? address.port : 0}/_dev/mail`
}

test('the mailbox lists the newest hundred mails, newest first', async () => {
  const many = Array.from({ length: 102 }, (_, at) => ({ ...message, subject: `Number ${at + 1}` }))
  const page = await (await fetch(await opened(...many))).text()
  const subjects = [...page.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, subject]) => subject)
  expect(subjects).toHaveLength(100)
  expect([subjects[0], subjects[1], subjects[99]]).toEqual(['Number 102', 'Number 101', 'Number 3'])
})

test('the mailbox shows the headers, Bcc, text with links, and source of a mail', async () => {
  const url = await opened(message)
  const page = await chromium().newPage()
  await page.goto(url)
  const main = page.getByRole('main')
  await expect.poll(() => main.getByRole('heading', { level: 2 }).textContent()).toBe('Good <news>')
  expect(await main.locator('.headers').first().innerText()).toMatch(
    /From\s+The app <app@x\.test>[^]*To\s+Ann <ann@x\.test>[^]*Bcc\s+eve@x\.test/,
  )
  const link = main.getByRole('link', { name: 'https://x.test/verify/1.b?a=1&b=2', exact: true })
  expect(await link.getAttribute('href')).toBe('https://x.test/verify/1.b?a=1&b=2')
  await main.getByText('Source', { exact: true }).click()
  expect(await main.locator('pre').last().innerText()).toContain('MIME-Version: 1.0')
  await page.close()
})

test('the HTML of a mail is in a frame that runs no script, and its links open in a new tab', async () => {
  const url = await opened(message)
  const page = await chromium().newPage()
  await page.goto(url)
  const link = page.frameLocator('iframe').getByRole('link', { name: 'open it' })
  const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()])
  expect([page.url(), tab.isClosed()]).toEqual([url, false])
  expect(await page.frameLocator('iframe').locator('script').count()).toBe(1)
  expect(await page.frames()[1]?.title()).toBe('')
  await page.close()
})

test('an attachment is downloaded exactly as it was sent', async () => {
  const content = Buffer.from('<script>alert(1)</script>')
  const url = await opened({ ...message, attachments: [{ name: 'résumé.html', content }] })
  const path = /href="([^"]*\/files\/0)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
  const answer = await fetch(new URL(path, url))
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content)
  expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  expect(answer.headers.get('content-disposition')).toBe(
    "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.html",
  )
})

test('an empty mailbox has a page, and paths outside the mailbox answer 404', async () => {
  const url = await opened()
  const empty = await fetch(url)
  expect([empty.status, await empty.text()]).toEqual([200, expect.stringContaining('No mail yet')])
  const paths = ['/x', '/..%2f..%2fpackage', '/2026-11-21T120000.000Z-000001/source']
  const answers = await Promise.all(paths.map((path) => fetch(url + path)))
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('the folder of the mailbox is excluded from version control', () => {
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain(`/${mailFolder}/`)
})

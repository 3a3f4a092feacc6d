import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium.ts'
import { visited } from '../internal/testing/tab.ts'

const chromium = chromiumOfFile()
// As `cmd/build/weigh.ts` has it.
const limit = 15_400

test('HTML, style and scripts of the login page weigh at most 15.4 kB over the wire', async () => {
  const { page, context } = await visited(chromium())
  const weighed = new Map<string, Promise<number>>()
  context.on('requestfinished', (request) => {
    if (request.resourceType() === 'other') return
    weighed.set(
      new URL(request.url()).pathname,
      request.sizes().then((size) => size.responseBodySize),
    )
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  const sizes = await Promise.all(weighed.values())
  const kinds = [...weighed.keys()].map((path) => path.split('.')[1] ?? 'html')
  expect(new Set(kinds)).toEqual(new Set(['html', 'css', 'js']))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit)
})

test('all of it comes compressed with brotli', async () => {
  const { page, context } = await visited(chromium())
  const encodings: [string, string | undefined][] = []
  context.on('response', (answer) => {
    encodings.push([new URL(answer.url()).pathname, answer.headers()['content-encoding']])
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  const others = encodings.filter(([, encoding]) => encoding !== 'br')
  expect(others).toEqual([])
})

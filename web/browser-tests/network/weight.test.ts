import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frontendBuildOf } from '../../../cmd/build/frontend-build.ts'
import { executable } from '../../../internal/testing/processes/build.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import {
  type Profile,
  openProfile,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import {
  otherRenderers,
  testedRenderer,
  testedFrontend,
} from '../../../internal/testing/tested-frontend.ts'
import { languageNames } from '../../contract/languages.ts'

const chromium = chromiumOfFile()
const { heaviestLogin } = await frontendBuildOf(testedFrontend)

test('the login page weighs no more over the wire than its frontend may, in each language', async () => {
  const { app } = await serveWithProfile(chromium())
  const totals: number[] = []
  for (const locale of languageNames) {
    const sizes = await weighLogin(await openProfile(chromium(), app, { locale }))
    expect(new Set(sizes.keys().map(extensionOf))).toEqual(new Set(['html', 'css', 'js']))
    totals.push(sizes.values().reduce((sum, size) => sum + size, await weighIcon(app)))
  }
  expect(Math.max(...totals)).toBeLessThanOrEqual(heaviestLogin)
})

test('all responses that the login page loads are compressed with brotli', async () => {
  const { page, context } = await serveWithProfile(chromium())
  const encodings: [string, string | undefined][] = []
  context.on('response', (answer) => {
    encodings.push([new URL(answer.url()).pathname, answer.headers()['content-encoding']])
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  const uncompressed = encodings.filter(([, encoding]) => encoding !== 'br')
  expect(uncompressed).toEqual([])
})

test('the bill of materials of a build lists only the chosen frontend', () => {
  const billOfMaterials = readFileSync(`${executable}.cdx.json`, 'utf8')
  const listed = [testedRenderer, ...otherRenderers].filter((name) =>
    billOfMaterials.includes(`pkg:npm/${name}@`),
  )
  expect(listed).toEqual([testedRenderer])
})

/** Returns the bytes of each body that the login page loads, by path. */
async function weighLogin({ page, context }: Profile): Promise<Map<string, number>> {
  const sizes = new Map<string, Promise<number>>()
  context.on('requestfinished', (request) => {
    if (request.resourceType() === 'other') return
    sizes.set(
      new URL(request.url()).pathname,
      request.sizes().then((size) => size.responseBodySize),
    )
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  return new Map(
    await Promise.all(sizes.entries().map(async ([path, size]) => [path, await size] as const)),
  )
}

/** Weighs the icon separately: a browser without a window does not request it. */
async function weighIcon({ origin }: Served): Promise<number> {
  const html = await (await fetch(`${origin}/login`)).text()
  const [, path = ''] = /<link rel="icon" href="([^"]+)"/.exec(html) ?? []
  const { headers } = await fetch(origin + path, { headers: { 'Accept-Encoding': 'br' } })
  expect(headers.get('content-encoding')).toBe('br')
  return Number(headers.get('content-length'))
}

function extensionOf(path: string): string {
  return path.split('.')[1] ?? 'html'
}

import { expect, test } from 'vitest'
import { frontend } from '#frontend/en'
import { examplePages } from './examples/examples.ts'
import type { Page } from './pages.ts'

test('pages rendered concurrently do not mix', async () => {
  const pages = examplePages('en').map(([, page]) => page)
  const expected: string[] = []
  for (const page of pages) expected.push(await frontend.render(page))
  const order = Array.from({ length: 1000 }, (_, index) => (index * 7) % pages.length)
  const concurrent = await Promise.all(order.map((index) => frontend.render(pages[index] as Page)))
  expect(concurrent.filter((html, index) => html !== expected[order[index] ?? 0])).toEqual([])
})

import { expect, test } from 'vitest'
import { frontend } from '#frontend/en'
import { pagesIn } from './examples/examples.ts'
import type { Page } from './pages.ts'

test('pages rendered concurrently do not mix', async () => {
  const pages = pagesIn('en').map(([, page]) => page)
  const alone: string[] = []
  for (const page of pages) alone.push(await frontend.render(page))
  const order = Array.from({ length: 1000 }, (_, at) => (at * 7) % pages.length)
  const together = await Promise.all(order.map((at) => frontend.render(pages[at] as Page)))
  expect(together.filter((html, at) => html !== alone[order[at] ?? 0])).toEqual([])
})

import { expect, test } from 'vitest'
import { frontend } from '#frontend/en'
import { pagesIn } from './examples/examples.ts'
import type { Page } from './pages.ts'

test('pages rendered concurrently do not mix', async () => {
  const pages = pagesIn('en').map(([, page]) => page)
  const renderedAlone: string[] = []
  for (const page of pages) renderedAlone.push(await frontend.render(page))
  const order = Array.from({ length: 1000 }, (_, index) => (index * 7) % pages.length)
  const renderedTogether = await Promise.all(
    order.map((index) => frontend.render(pages[index] as Page)),
  )
  expect(
    renderedTogether.filter((html, index) => html !== renderedAlone[order[index] ?? 0]),
  ).toEqual([])
})

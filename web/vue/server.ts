import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Read with the first page of its language: a server need not wait for it.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // It makes one as it loads, by which it would make elements of text.
  trustedTypes: ['vue'],
  makesStyles: false,
}

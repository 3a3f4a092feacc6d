import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Read with the first page of its language: a server need not wait for it.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // By which it makes elements of its templates.
  trustedTypes: ['svelte-trusted-html'],
  makesStyles: false,
}

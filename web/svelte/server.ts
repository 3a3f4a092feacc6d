import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language: the server need not wait for it at its start.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // By this policy Svelte makes elements from its templates.
  trustedTypes: ['svelte-trusted-html'],
  makesStyles: false,
}

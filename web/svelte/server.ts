import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language, so that it does not delay the server's start.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // Svelte uses this policy to create elements from its templates.
  trustedTypes: ['svelte-trusted-html'],
  makesStyles: false,
}

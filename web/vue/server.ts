import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language, so that it does not delay the server's start.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // Vue creates this policy when it loads, for turning text into elements.
  trustedTypes: ['vue'],
  makesStyles: false,
}

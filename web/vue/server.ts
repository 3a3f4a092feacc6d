import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language: the server need not wait for it at its start.
  render: async (page) => (await import('./drawing.ts')).draw(page),
  // Vue makes this policy as it loads: by it Vue would make elements from text.
  trustedTypes: ['vue'],
  makesStyles: false,
}

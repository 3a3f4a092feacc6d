import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language, so that it does not delay the server's start.
  render: async (page) => (await import('./drawing.tsx')).draw(page),
  trustedTypes: [],
  makesStyles: false,
}

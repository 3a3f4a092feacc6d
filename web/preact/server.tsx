import type { Frontend } from '../contract/frontend.ts'

export const frontend: Frontend = {
  // Loaded with the first page in a language: the server need not wait for it at its start.
  render: async (page) => (await import('./drawing.tsx')).draw(page),
  trustedTypes: [],
  makesStyles: false,
}

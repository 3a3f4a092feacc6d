/** The product built on the accounts: its pages in the header, and where it begins on the dashboard. */
export const product = {
  pages: 'Main pages',
  dashboard: 'Dashboard',
  start: 'Your product begins here',
  startText: 'This space is for your first page. You write it in this file:',
} as const

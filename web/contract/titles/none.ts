import type { Titles } from './title-of.ts'

export const titles = { Home: 'Accounts, ready to build on' } satisfies Titles<'none'>

import type { Titles } from '../../../titles/title-of.ts'

export const titles = { Home: 'Accounts, ready to build on' } satisfies Titles<'none'>

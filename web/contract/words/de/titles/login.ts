import type { Titles } from '../../../titles/title-of.ts'

export const titles = { 'Auth/Login': 'Anmelden' } satisfies Titles<'login'>

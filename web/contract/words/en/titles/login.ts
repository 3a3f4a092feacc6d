import type { Titles } from '../../../titles/title-of.ts'

export const titles = { 'Auth/Login': 'Log in' } satisfies Titles<'login'>

import type { Titles } from './title-of.ts'

export const titles = { 'Auth/Login': 'Log in' } satisfies Titles<'login'>

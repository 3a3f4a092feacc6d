import type { Titles } from '../../../titles/title-of.ts'

export const titles = { Home: 'Konten, auf die Sie bauen können' } satisfies Titles<'none'>

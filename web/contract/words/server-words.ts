import { serverWords as de } from './de/server.ts'
import { serverWords as en } from './en/server.ts'
import type { Language } from '../languages.ts'
import type { Translated } from './translated.ts'

export type ServerWords = Translated<typeof en>

/** What the server says, in each language. */
export const serverWords: Readonly<Record<Language, ServerWords>> = { en, de }

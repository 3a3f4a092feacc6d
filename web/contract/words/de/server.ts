import { serverWords as en } from '../en/server.ts'
import { lines } from './lines.ts'
import type { Translated } from '../translated.ts'

export const serverWords: Translated<typeof en> = { ...en, lines }

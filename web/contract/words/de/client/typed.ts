import type { typedWords as en } from '../../en/client/typed.ts'
import type { Translated } from '../../translated.ts'

/** Messages about text that was typed and not sent. */
export const typedWords: Translated<typeof en> = {
  before: 'Ihre Eingaben von vorhin sind wieder da, aber noch nicht gespeichert.',
}

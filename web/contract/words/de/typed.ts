import type { typedWords as en } from '../en/typed.ts'
import type { Translated } from '../translated.ts'

/** What is told of what was typed and not sent. */
export const typedWords: Translated<typeof en> = {
  before: 'Ihre Eingaben von vorhin sind wieder da, aber noch nicht gespeichert.',
}

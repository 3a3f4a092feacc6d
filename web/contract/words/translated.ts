import type { MailWords } from '../mail-words.ts'

/** The same words in another language: what is put into a sentence stays, what it says does not. */
export type Translated<Words> = Words extends MailWords
  ? MailWords
  : Words extends string
    ? string
    : Words extends (...values: infer Values) => infer Said
      ? (...values: Values) => Translated<Said>
      : { readonly [Name in keyof Words]: Translated<Words[Name]> }

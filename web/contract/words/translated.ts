import type { MailWords } from '../mail-words.ts'

/** The type of the same words in another language: texts may differ, the values put into them may not. */
export type Translated<Words> = Words extends MailWords
  ? MailWords
  : Words extends string
    ? string
    : Words extends (...values: infer Values) => infer Said
      ? (...values: Values) => Translated<Said>
      : { readonly [Name in keyof Words]: Translated<Words[Name]> }

import { serverWords, type ServerWords } from '../../../web/contract/words/server-words.ts'
import type { Language } from '../../../web/contract/languages.ts'
import type { Config, SupportAddress } from '../../base/settings/config.ts'

/** What stands around what a mail says: its language, and the whole addresses that it leads to. */
export interface Frame {
  readonly language: Language
  /** The page that the mail is about. */
  readonly link: string
  /** Where a new password is asked for: in mails whose words name it. */
  readonly resetLink?: string
  /** Where people get help, and what they agreed to. */
  readonly links: Config['links']
}

/** The words that every mail in a language has. */
export function layoutWords({ language }: Pick<Frame, 'language'>): ServerWords['mails']['layout'] {
  return serverWords[language].mails.layout
}

/** Says where questions go. */
export function helpText(frame: Frame, { text, href }: SupportAddress): string {
  const { writeTo, helpAt } = layoutWords(frame)
  return href.startsWith('mailto:') ? writeTo(text) : helpAt(text)
}

/** The terms and the privacy policy, as far as there are any: the name and the address of each. */
export function legalLinks(frame: Frame): (readonly [string, string])[] {
  const words = layoutWords(frame)
  const { terms, privacy } = frame.links
  return [
    ...(terms ? [[words.terms, terms] as const] : []),
    ...(privacy ? [[words.privacy, privacy] as const] : []),
  ]
}

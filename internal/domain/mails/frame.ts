import { serverWords, type ServerWords } from '../../../web/contract/words/server-words.ts'
import type { Language } from '../../../web/contract/languages.ts'
import type { Config, SupportAddress } from '../../base/settings/config.ts'

/** What surrounds the text of a mail: its language, and the full URLs that it links to. */
export interface Frame {
  readonly language: Language
  /** The page that the mail is about. */
  readonly link: string
  /** Where to ask for a new password, for mails whose words mention it. */
  readonly resetLink?: string
  /** Where people get help, and what they agreed to. */
  readonly links: Config['links']
}

/** Returns the words that every mail in a language has. */
export function layoutWords({ language }: Pick<Frame, 'language'>): ServerWords['mails']['layout'] {
  return serverWords[language].mails.layout
}

/** Returns the sentence that says where to get help. */
export function helpText(frame: Frame, { text, href }: SupportAddress): string {
  const { writeTo, helpAt } = layoutWords(frame)
  return href.startsWith('mailto:') ? writeTo(text) : helpAt(text)
}

/** Returns the name and URL of the terms and of the privacy policy, as far as they are set. */
export function legalLinks(frame: Frame): (readonly [string, string])[] {
  const words = layoutWords(frame)
  const { terms, privacy } = frame.links
  return [
    ...(terms ? [[words.terms, terms] as const] : []),
    ...(privacy ? [[words.privacy, privacy] as const] : []),
  ]
}

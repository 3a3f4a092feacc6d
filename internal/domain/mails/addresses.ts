import { mailLayout } from '#words/mails'
import type { Config, SupportAddress } from '../../base/settings/config.ts'

/** The whole addresses that a mail leads to. */
export interface Addresses {
  /** Of what it is about. */
  readonly link: string
  /** Where a new password is asked for: in mails whose words name it. */
  readonly resetLink?: string
  /** Where people get help, and what they agreed to. */
  readonly links: Config['links']
}

/** Where questions go. */
export function helpText({ text, href }: SupportAddress): string {
  return href.startsWith('mailto:') ? mailLayout.writeTo(text) : mailLayout.helpAt(text)
}

/** What was agreed to, as far as there is any: what it is called, and its address. */
export function legalLinks({ terms, privacy }: Config['links']): (readonly [string, string])[] {
  return [
    ...(terms ? [[mailLayout.terms, terms] as const] : []),
    ...(privacy ? [[mailLayout.privacy, privacy] as const] : []),
  ]
}

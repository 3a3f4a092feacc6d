import type { Message } from '../base/mail.ts'

/** Returns path and query of the link in a mail to this app. */
export function linkIn({ text }: Message): string {
  const [, link] = /http:\/\/app\.test(\/\S+)/.exec(text) ?? []
  if (link === undefined) throw new Error(`There is no link in: ${text}`)
  return link
}

/** Returns the token of a password reset link. */
export function tokenIn(link: string): string {
  return new URL(link).pathname.split('/').at(-1) ?? ''
}

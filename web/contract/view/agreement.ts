import { agreement } from '#words/auth/agreement'
import type { AgreementLinks } from '../pages.ts'

/** A piece of the sentence; with `href` it is a link. */
interface SentencePart {
  readonly text: string
  readonly href?: string
}

/** Returns the sentence on what creating an account agrees to; undefined if there is nothing to agree to. */
export function agreementTo(links: AgreementLinks = {}): readonly SentencePart[] | undefined {
  const { terms, privacy } = links
  if (!terms && !privacy) return undefined
  const sentence = terms && privacy ? agreement.both : terms ? agreement.terms : agreement.privacy
  // `split` keeps both groups, in turn: plain text, the text of a link, and the name of its target.
  const pieces = sentence.split(/\[(.+?)\]\((terms|privacy)\)/)
  return pieces.flatMap((text, at) => {
    if (at % 3 === 0) return { text }
    return at % 3 === 1 ? { text, href: pieces[at + 1] === 'terms' ? terms : privacy } : []
  })
}

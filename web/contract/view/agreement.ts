import { agreement } from '#words/agreement'
import type { AgreementLinks } from '../pages.ts'

/** A piece of the sentence; with `href` it is a link. */
interface Part {
  readonly text: string
  readonly href?: string
}

/** What somebody agrees to by creating an account, as one sentence; undefined where there is nothing to agree to. */
export function agreementTo(links: AgreementLinks = {}): readonly Part[] | undefined {
  const { terms, privacy } = links
  if (!terms && !privacy) return undefined
  const sentence = terms && privacy ? agreement.both : terms ? agreement.terms : agreement.privacy
  // `split` keeps both groups: by turns come plain text, the text of a link, and which of the two it leads to.
  const pieces = sentence.split(/\[(.+?)\]\((terms|privacy)\)/)
  return pieces.flatMap((text, at) => {
    if (at % 3 === 0) return { text }
    return at % 3 === 1 ? { text, href: pieces[at + 1] === 'terms' ? terms : privacy } : []
  })
}

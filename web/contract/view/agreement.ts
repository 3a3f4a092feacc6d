import { agreement } from '#words/agreement'
import type { AgreementLinks } from '../pages.ts'

/** A piece of the sentence, as it follows the one before; with `href` it is a link. */
interface Part {
  readonly text: string
  readonly href?: string | undefined
}

/** What somebody agrees to by creating an account, as one sentence; undefined where there is nothing to agree to. */
export function agreementTo(links: AgreementLinks = {}): readonly Part[] | undefined {
  const { terms, privacy } = links
  if (!terms && !privacy) return undefined
  const sentence = terms && privacy ? agreement.both : terms ? agreement.terms : agreement.privacy
  return sentence.map((part) =>
    typeof part === 'string' ? { text: part } : { text: part[1], href: links[part[0]] },
  )
}

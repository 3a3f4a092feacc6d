import type { AgreementLinks } from '../../../contract/pages.ts'
import { agreementTo } from '../../../contract/view/agreement.ts'
import { agreement } from '#words/auth/agreement'

/** What the person agrees to by pressing the button below; empty if there is nothing to agree to. */
export function Agreement({ links }: { links: AgreementLinks | undefined }) {
  const sentence = agreementTo(links)
  if (!sentence) return null
  return (
    <p class="hint">
      {sentence.map(({ text, href }) =>
        href ? (
          // In a new tab, so that typed text is kept.
          <a key={href} href={href} target="_blank">
            {text}
            <span class="visually-hidden"> {agreement.newTab}</span>
          </a>
        ) : (
          text
        ),
      )}
    </p>
  )
}

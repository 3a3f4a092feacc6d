import type { AgreementLinks } from '../../../web/contract/pages.ts'
import type { Context } from '../context.ts'

/** Returns the prop for the documents agreed to by creating an account; none if the settings name none. */
export function agreementLinks(c: Context): { readonly links?: AgreementLinks } {
  const { terms, privacy } = c.app.config.links
  return terms || privacy ? { links: { terms, privacy } } : {}
}

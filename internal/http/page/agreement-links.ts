import type { AgreementLinks } from '../../../web/contract/pages.ts'
import type { Context } from '../context.ts'

/** The prop of what is agreed to by creating an account; none where the settings name nothing of it. */
export function agreementLinks(c: Context): { readonly links?: AgreementLinks } {
  const { terms, privacy } = c.app.config.links
  return terms || privacy ? { links: { terms, privacy } } : {}
}

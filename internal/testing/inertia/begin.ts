import { withSheet } from '../../../web/client/core/sheets.ts'
import { groupOf } from '../../../web/contract/groups.ts'
import type { Page, PageName } from '../../../web/contract/pages.ts'

/** What the three frontends of stock Inertia clients have in common. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): void
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
// The bar that shows progress is made of text. No text becomes script by this.
trustedTypes?.createPolicy('default', { createHTML: (html) => html })

/** Of the document's scripts; style elements carry it too. */
export const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce

/** Finds the component of a page, and has its stylesheet apply. */
export function resolvedBy<Component>(
  pages: Readonly<Record<string, Component>>,
  other: Component,
): (name: string) => Promise<Component> {
  return (name) => withSheet(groupOf(name as PageName), pages[name] ?? other)
}

/** What every page shows, of the page object as a client hands it on. */
export function shownOf(page: unknown) {
  const { component, props, flash } = page as Page
  return {
    component,
    user: props.auth.user,
    told: flash.success ?? '',
    names: Object.keys(props).join(' '),
    status: 'status' in props ? String(props.status) : '',
  }
}

/** The fields of the form that makes an account. */
export const fields = ['name', 'email', 'password', 'password_confirmation'] as const

/** What a form hands its fields: what is wrong with them, and what asks the server. */
export interface Checked {
  readonly errors: Readonly<Record<string, string>>
  readonly validate: (field: string) => void
}

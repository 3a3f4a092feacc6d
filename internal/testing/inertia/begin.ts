import { withSheet } from '../../../web/client/core/page/sheets.ts'
import { groupOf } from '../../../web/contract/groups.ts'
import type { Page, PageName } from '../../../web/contract/pages.ts'

/** Shared by the three frontends of stock Inertia clients. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): void
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
// The progress bar is made of text, none of which becomes script by this.
trustedTypes?.createPolicy('default', { createHTML: (html) => html })

/** The nonce of the document's scripts; style elements carry it too. */
export const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce

/** Returns a function that resolves a page's component, and applies its stylesheet. */
export function componentResolver<Component>(
  pages: Readonly<Record<string, Component>>,
  other: Component,
): (name: string) => Promise<Component> {
  return (name) => withSheet(groupOf(name as PageName), pages[name] ?? other)
}

/** Returns what every page shows of the page object, as a client passes it on. */
export function summaryOf(page: unknown) {
  const { component, props, flash } = page as Page
  return {
    component,
    user: props.auth.user,
    message: flash.success ?? '',
    names: Object.keys(props).join(' '),
    status: 'status' in props ? String(props.status) : '',
  }
}

/** The fields of the register form. */
export const fields = ['name', 'email', 'password', 'password_confirmation'] as const

/** What a form passes to its fields: their errors, and a function to validate with the server. */
export interface FormState {
  readonly errors: Readonly<Record<string, string>>
  readonly validate: (field: string) => void
}

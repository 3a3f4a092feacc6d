import { KeptDocuments } from '../../base/documents/kept-documents.ts'
import { accepts, asBrotli } from './compress.ts'
import { document } from './document.ts'
import type { Page, PageName } from '../../../web/contract/pages.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'

/** Answers with a page's document: a cached one, if any, for browsers that accept brotli, else a new one. */
export async function keptOrDrawn(
  c: Context,
  page: Page,
  answer: Omit<Answer, 'body'>,
): Promise<Answer> {
  const { app, nonce } = c
  const key = accepts(c, 'br') && isKept(page) ? keyOf(page) : undefined
  const cached = key && app.documents.find(key, nonce)
  if (cached) return asBrotli(answer, cached)
  const html = await document(app, page, nonce)
  if (key) c.background('keeping a document', app.documents.note(key, { html, nonce }))
  return { ...answer, body: html }
}

/** Pages without codes, tokens or links that grant anything, which look the same until something changes. */
const calm = new Set<PageName>([
  'Home',
  'Dashboard',
  'Auth/Login',
  'Auth/Register',
  'Auth/ForgotPassword',
  'Notifications',
  'Settings/Profile',
  'Settings/Tokens',
  'Settings/Appearance',
])

/** Whether a page's document may be cached: it shows nothing that is shown once. */
function isKept({ component, props, flash, clearHistory }: Page): boolean {
  const { errors, old } = props
  const shownOnce = [...Object.keys(flash), ...Object.keys(errors)].length > 0 || old !== undefined
  return calm.has(component) && !shownOnce && !clearHistory && !('sent' in props)
}

/** Derives the key from all that the document depends on, so that nobody gets another person's page. */
function keyOf(page: Page): string {
  return KeptDocuments.keyOf(JSON.stringify(page))
}

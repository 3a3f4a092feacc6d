import manifest from '../../package.json' with { type: 'json' }
import { brandName } from '../brand/brand.ts'
import type { Page } from './pages.ts'

/** The app's name (contract: App name). Binary, cookies, tokens and database file are named after it. */
export const appName: string = manifest.name

/** Returns a document's title: the page's and the brand's name, in reverse order on the landing page. */
export function documentTitle({ component }: Page, title: string): string {
  return component === 'Home' ? `${brandName} · ${title}` : `${title} · ${brandName}`
}

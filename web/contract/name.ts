import manifest from '../../package.json' with { type: 'json' }
import { brandName } from '../brand/brand.ts'
import type { Page } from './pages.ts'

/** The app's name (contract: App name). Binary, cookies, tokens and database file are named from it. */
export const appName: string = manifest.name

/** The document's title: the page's and the brand's name; the landing page has the brand's first. */
export function documentTitle({ component }: Page, title: string): string {
  return component === 'Home' ? `${brandName} · ${title}` : `${title} · ${brandName}`
}

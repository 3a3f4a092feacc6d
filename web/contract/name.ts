import manifest from '../../package.json' with { type: 'json' }
import { brandName } from '../brand/brand.ts'
import type { Page } from './pages.ts'

/** The app's name (contract: App name). Binary, cookies, tokens and database file are named from it. */
export const appName: string = manifest.name

/** The document's title: what the page is called, and whose it is, which the landing page says first. */
export function documentTitle({ component }: Page, title: string): string {
  return component === 'Home' ? `${brandName} · ${title}` : `${title} · ${brandName}`
}

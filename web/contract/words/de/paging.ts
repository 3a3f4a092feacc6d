import type { paging as en } from '../en/paging.ts'
import type { Translated } from '../translated.ts'

export const paging: Translated<typeof en> = {
  page: (page, pages) => `Seite ${page} von ${pages}`,
}

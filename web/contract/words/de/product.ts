import type { product as en } from '../en/product.ts'
import type { Translated } from '../translated.ts'

export const product: Translated<typeof en> = {
  pages: 'Hauptseiten',
  dashboard: 'Übersicht',
  start: 'Hier beginnt Ihr Produkt',
  startText:
    'Dieser Platz gehört Ihnen. Setzen Sie Ihre erste Seite an seine Stelle, in dieser Datei:',
}

import type { product as en } from '../en/product.ts'
import type { Translated } from '../translated.ts'

export const product: Translated<typeof en> = {
  pages: 'Hauptseiten',
  dashboard: 'Übersicht',
  start: 'Hier beginnt Ihr Produkt',
  startText: 'Dieser Platz ist für Ihre erste Seite. Sie schreiben sie in dieser Datei:',
}

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { brandName, brandSentence } from '../../web/brand/brand.ts'
import { mark } from '../../web/brand/mark.ts'
import { colours } from '../../web/brand/colours.ts'
import { type Language, languages } from '../../web/contract/languages.ts'
import { markLarge, rings } from '../../web/contract/view/poster.ts'
import { escapeHtml } from '../../internal/base/text/escape.ts'

/**
 * Returns the path of a language's picture. It is committed because networks do not accept SVG, and the build cannot
 * draw a PNG.
 */
export function socialPicture(language: Language): string {
  return `web/brand/social-${language}.png`
}

/** Pixels, as social networks ask for. */
export const size = { width: 1200, height: 630 }

/**
 * Returns the document from which a browser draws the picture: the brand in light appearance, its sentence in a
 * language.
 */
export function pictureDocument(language: Language): string {
  const { bg, ink, muted, line, accent, onAccent } = colours
  const circles = rings.map(
    ({ radius, opacity }) =>
      `<circle cx="240" cy="260" r="${radius}" fill="none" stroke="${line[0]}" stroke-width="1.5" stroke-opacity="${opacity}"/>`,
  )
  return `<!doctype html><html lang="${language}" dir="${languages[language].direction}"><meta charset="utf-8"><style>
body { position: relative; display: grid; grid-template: 1fr auto / 640px; box-sizing: border-box; width: ${size.width}px; height: ${size.height}px; margin: 0; padding: 72px 80px; overflow: hidden; background: ${bg[0]}; font-family: system-ui, sans-serif }
p { margin: 0; overflow-wrap: anywhere }
.name { display: flex; align-items: center; align-self: start; gap: 24px; color: ${ink[0]}; font-size: 44px; font-weight: 700; letter-spacing: -0.01em }
.sentence { color: ${muted[0]}; font-size: 44px; line-height: 1.25; text-wrap: balance }
.poster { position: absolute; z-index: -1; right: 40px; top: 20px; overflow: visible }
</style><body>
<p class="name"><svg width="80" height="80" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent[0]}"/><path fill="${onAccent[0]}" d="${mark}"/></svg>${escapeHtml(brandName)}</p>
<p class="sentence">${escapeHtml(brandSentence[language])}</p>
<svg class="poster" width="545" height="590" viewBox="0 0 480 520">${circles.join('')}<path d="${mark}" transform="${markLarge}" fill="${accent[0]}"/></svg>
`
}

/** Returns the PNG with a hash of the document that it was drawn from, in a text chunk. */
export function addStamp(png: Buffer, language: Language): Buffer {
  const data = Buffer.concat([stampName, Buffer.from(stampOf(pictureDocument(language)))])
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(data.length - 4)
  sizes.writeUInt32BE(crc32(data), 4)
  // Before the chunk that ends the PNG, which has 12 bytes.
  return Buffer.concat([
    png.subarray(0, -12),
    sizes.subarray(0, 4),
    data,
    sizes.subarray(4),
    png.subarray(-12),
  ])
}

/** Whether a picture was drawn from the current brand. */
export function isUpToDate(png: Buffer, language: Language): boolean {
  return png.includes(Buffer.concat([stampName, Buffer.from(stampOf(pictureDocument(language)))]))
}

/** A text chunk's type and keyword (PNG: tEXt). */
const stampName = Buffer.from('tEXtSource\0')

function stampOf(text: string): string {
  return hash('sha256', text)
}

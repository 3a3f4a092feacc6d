import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from '../../internal/testing/start-chromium.ts'
import { drawing, size, socialPicture, stamped } from './social-picture.ts'

// `npm run brand` draws the picture that goes with a link to the site, anew from what the brand is.
const browser = await startChromium()
try {
  const page = await browser.newPage({ viewport: size })
  await page.setContent(drawing())
  const png = await page.screenshot()
  writeFileSync(join(import.meta.dirname, '../..', socialPicture), stamped(png))
  console.log(`Drew ${socialPicture}.`)
} finally {
  await browser.close()
}

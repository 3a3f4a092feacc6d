import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from '../../internal/testing/start-chromium.ts'
import { languageNames } from '../../web/contract/languages.ts'
import { drawing, size, socialPicture, stamped } from './social-picture.ts'

// `npm run brand` draws the pictures that go with a link to the site, one a language, anew from what the brand is.
const browser = await startChromium()
try {
  const page = await browser.newPage({ viewport: size })
  for (const language of languageNames) {
    const picture = socialPicture(language)
    await page.setContent(drawing(language))
    const png = await page.screenshot()
    writeFileSync(join(import.meta.dirname, '../..', picture), stamped(png, language))
    console.log(`Drew ${picture}.`)
  }
} finally {
  await browser.close()
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from '../../internal/testing/chromium/start-chromium.ts'
import { type Language, languageNames } from '../../web/contract/languages.ts'
import { pictureDocument, isUpToDate, size, socialPicture, addStamp } from './social-picture.ts'

// `npm run brand` draws the pictures for links to the site, one per language, from the current brand. A picture that
// is up to date stays: redrawn it would look the same, but its file would differ.
const outdatedLanguages = languageNames.filter((language) => !isUpToDateFor(language))
if (outdatedLanguages.length > 0) await draw(outdatedLanguages)

function isUpToDateFor(language: Language): boolean {
  const file = pathOf(language)
  return existsSync(file) && isUpToDate(readFileSync(file), language)
}

async function draw(languages: readonly Language[]): Promise<void> {
  const browser = await startChromium()
  try {
    const page = await browser.newPage({ viewport: size })
    for (const language of languages) {
      await page.setContent(pictureDocument(language))
      const png = await page.screenshot()
      writeFileSync(pathOf(language), addStamp(png, language))
      console.log(`Drew ${socialPicture(language)}.`)
    }
  } finally {
    await browser.close()
  }
}

function pathOf(language: Language): string {
  return join(import.meta.dirname, '../..', socialPicture(language))
}

import type { Browser } from 'playwright-core'

interface RenderedPhoto {
  readonly size: readonly [width: number, height: number]
  readonly pixels: string
}

/** Returns how a browser renders each photo. */
export async function renderPhotos(
  browser: Browser,
  photos: readonly Uint8Array[],
): Promise<RenderedPhoto[]> {
  const page = await browser.newPage()
  const sources = photos.map((photo) => Buffer.from(photo).toString('base64'))
  const rendered = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (source) => {
          const image = new Image()
          image.src = `data:;base64,${source}`
          await image.decode()
          const [width, height] = [image.naturalWidth, image.naturalHeight]
          const canvas = Object.assign(document.createElement('canvas'), { width, height })
          const context = canvas.getContext('2d')
          context?.drawImage(image, 0, 0)
          const pixels = context?.getImageData(0, 0, width, height).data.join() ?? ''
          return { size: [width, height] as const, pixels }
        }),
      ),
    sources,
  )
  await page.close()
  return rendered
}

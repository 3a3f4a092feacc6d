import { imageDimensionsFromData } from 'image-dimensions'

/** Why a file cannot be taken: it is none of the pictures that are, or has more pixels than the browser can hold. */
export type Fault = 'type' | 'large' | 'wide'

/** Where headers tell how large a picture is, after what a camera puts before it. */
const headerBytes = 1024 * 1024
/** More than phones take as a rule; whole, they are 100 MB. */
const mostPixels = 24_000_000
/** Pixels: the photo that is sent, zoomed as far as it goes. */
const enoughSide = 2048
/** To which a panorama is made smaller: Chromium turns none of 24,000,000. */
const panoramaPixels = 8_000_000

/** How a picture begins, by its type. A HEIC is what some phones take: a browser that can read it makes a photo of it. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\cZ\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'image/heic': /^[^]{4}ftyp(?:hei[cxms]|mif1)/,
}

/** What a file is by its bytes, as the server tells it: its name may say anything. Undefined for any other file. */
export async function typeOf(file: File): Promise<string | undefined> {
  const text = String.fromCharCode(...(await begins(file, 12)))
  return Object.keys(beginnings).find((type) => beginnings[type]?.test(text))
}

/** Reads a picture, the right way up; one that is larger than anybody's screen as large as a photo needs it. */
export async function readPicture(file: File, type: string): Promise<ImageBitmap | Fault> {
  // Not as the source of an image: the policy allows none that was not loaded from here.
  const content = file.slice(0, file.size, type)
  const size = imageDimensionsFromData(await begins(file, headerBytes))
  try {
    if (!size || size.width * size.height <= mostPixels) return await createImageBitmap(content)
    const shortest = Math.min(size.width, size.height)
    const longest = Math.max(size.width, size.height)
    // The width before the picture is turned the right way up: it may be the height, and must not become more then.
    const careful = Math.min((size.width * enoughSide) / shortest, shortest)
    const small = await resized(content, careful)
    const scale = Math.min(
      1,
      enoughSide / shortest,
      Math.sqrt(panoramaPixels / (shortest * longest)),
    )
    const width = scale * (small.width > small.height ? longest : shortest)
    // Of a panorama that is too small, but tells which way up it is.
    return small.width < Math.floor(width) ? await resized(content, width) : small
  } catch {
    return size && size.width * size.height > mostPixels ? 'wide' : 'type'
  }
}

function resized(content: Blob, width: number): Promise<ImageBitmap> {
  // Chromium does it on the page's own thread: the finer ways would hold it up for a second.
  const how = { resizeWidth: Math.round(width), resizeQuality: 'low' } as const
  return createImageBitmap(content, how)
}

/** The first bytes of a file; none of one that is gone. */
async function begins(file: File, bytes: number): Promise<Uint8Array> {
  const content = await file
    .slice(0, bytes)
    .arrayBuffer()
    .catch(() => new ArrayBuffer())
  return new Uint8Array(content)
}

import { imageDimensionsFromData } from 'image-dimensions'

/** Why a file is refused. `type`: no supported picture. `large`: too many bytes. `wide`: too many pixels. */
export type Fault = 'type' | 'large' | 'wide'

/** Bytes to search for the header with the picture's size: cameras may put much before it. */
const headerBytes = 1024 * 1024
/** Larger pictures are scaled down when read. Few phones take more pixels; so many are 100 MB in memory. */
const mostPixels = 24_000_000
/** Pixels of the shorter side: 512 are sent, and the person can zoom in four times. */
const enoughSide = 2048
/** Pixels to which a panorama is scaled down: Chromium cannot rotate one of 24,000,000. */
const panoramaPixels = 8_000_000

/** The first bytes by picture type. Some phones take HEIC: it is cropped where the browser can read it. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\cZ\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[^]{4}WEBP/,
  'image/heic': /^[^]{4}ftyp(?:hei[cxms]|mif1)/,
}

/** Returns a picture's type by its first bytes, as on the server: names may lie. Undefined if unknown. */
export async function typeOf(file: File): Promise<string | undefined> {
  const text = String.fromCharCode(...(await begins(file, 12)))
  return Object.keys(beginnings).find((type) => beginnings[type]?.test(text))
}

/** Reads a picture and rotates it upright; scales one of more than `mostPixels` down as far as possible. */
export async function readPicture(file: File, type: string): Promise<ImageBitmap | Fault> {
  // Not by an `<img>`: the CSP allows only this site as its source.
  const content = file.slice(0, file.size, type)
  const size = imageDimensionsFromData(await begins(file, headerBytes))
  try {
    if (!size || size.width * size.height <= mostPixels) return await createImageBitmap(content)
    const shortest = Math.min(size.width, size.height)
    const longest = Math.max(size.width, size.height)
    // `resizeWidth` applies before the picture is rotated upright, and may become its height: it must be
    // small enough for either.
    const careful = Math.min((size.width * enoughSide) / shortest, shortest)
    const small = await resized(content, careful)
    const scale = Math.min(
      1,
      enoughSide / shortest,
      Math.sqrt(panoramaPixels / (shortest * longest)),
    )
    const width = scale * (small.width > small.height ? longest : shortest)
    // Too small for a panorama, but the result tells which side is the width: it is read once more.
    return small.width < Math.floor(width) ? await resized(content, width) : small
  } catch {
    return size && size.width * size.height > mostPixels ? 'wide' : 'type'
  }
}

function resized(content: Blob, width: number): Promise<ImageBitmap> {
  // Chromium resizes on the main thread: better qualities would block it for a second.
  const how = { resizeWidth: Math.round(width), resizeQuality: 'low' } as const
  return createImageBitmap(content, how)
}

/** Reads the first bytes of a file; none if the file is gone. */
async function begins(file: File, bytes: number): Promise<Uint8Array> {
  const content = await file
    .slice(0, bytes)
    .arrayBuffer()
    .catch(() => new ArrayBuffer())
  return new Uint8Array(content)
}

import { extname } from 'node:path'
import { imageDimensionsFromData } from 'image-dimensions'
import { largestPhoto, widestPhoto } from '../../web/contract/limits.ts'
import { frameOf } from './metadata/jpeg.ts'

/** The media types of photos, by extension. */
export const photoTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
} as const

export type PhotoExtension = keyof typeof photoTypes

/**
 * The largest size of a stored photo that is backed up, in bytes: its orientation may take more of them than in the
 * upload. Far more than today's limit of uploads, since that may have been higher when the photo was stored.
 */
export const largestKept = Math.max(largestPhoto, 32 * 1024 * 1024) + 64

/** The folder that the key of each photo's file begins with. */
export const photoFolder = 'photos'

/** Returns whether a text from outside has the form of a key of a photo's file, `photos/<id>.png`. */
export function isPhotoKey(text: string): boolean {
  return /^photos\/[a-z2-7]{26}\.(?:png|jpg|webp)$/.test(text)
}

/**
 * Returns the Content-Disposition of a photo: the browser shows it, and saves it by a name without its key.
 */
export function photoDisposition(key: string): string {
  return `inline; filename="photo${extname(key)}"`
}

/** Returns the type of a photo, by its first twelve bytes (spec: Settings); undefined for anything else. */
export function extensionOf(content: Uint8Array): PhotoExtension | undefined {
  const first = Buffer.from(content.subarray(0, 12)).toString('latin1')
  if (first.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (first.startsWith('\xff\xd8\xff')) return 'jpg'
  return /^RIFF[^]{4}WEBP$/.test(first) ? 'webp' : undefined
}

/** Returns whether bytes are a photo of the type that the key of their file states. */
export function isPhotoOf(key: string, content: Uint8Array): boolean {
  return extname(key) === `.${extensionOf(content)}`
}

/** Returns whether the header of a photo states more pixels a side than `widestPhoto` (security rule 16). */
export function isTooWide(content: Uint8Array): boolean {
  const dimensions = imageDimensionsFromData(headerOf(content))
  return dimensions !== undefined && Math.max(dimensions.width, dimensions.height) > widestPhoto
}

// Only the header: the library copies its input, and finds a JPEG's frame far more slowly than `frameOf`.
function headerOf(content: Uint8Array): Uint8Array {
  if (extensionOf(content) !== 'jpg') return content.subarray(0, 64)
  const frame = frameOf(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  return frame ? Buffer.concat([content.subarray(0, 2), frame.subarray(0, 64)]) : new Uint8Array()
}

import { extname } from 'node:path'
import { imageDimensionsFromData } from 'image-dimensions'
import { widestPhoto } from '../../web/contract/limits.ts'

/** What a photo may be, by its extension. */
export const photoTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
} as const

export type PhotoExtension = keyof typeof photoTypes

/** Whether a text from outside could be the key of a photo's file, `photos/<id>.png`. */
export function isPhotoKey(text: string): boolean {
  return /^photos\/[a-z2-7]{26}\.(?:png|jpg|webp)$/.test(text)
}

/** The Content-Disposition of a photo: shown where it is opened, and saved by a name that tells no key. */
export function photoDisposition(key: string): string {
  return `inline; filename="photo${extname(key)}"`
}

/** Which of them bytes are, told by the first twelve (spec: Settings), or undefined: none of them. */
export function extensionOf(content: Uint8Array): PhotoExtension | undefined {
  const first = Buffer.from(content.subarray(0, 12)).toString('latin1')
  if (first.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (first.startsWith('\xff\xd8\xff')) return 'jpg'
  return /^RIFF[^]{4}WEBP$/.test(first) ? 'webp' : undefined
}

/** Whether bytes are a photo of the kind that the key of their file says. */
export function isPhotoOf(key: string, content: Uint8Array): boolean {
  return extname(key) === `.${extensionOf(content)}`
}

/** Whether its header tells of more pixels a side than `widestPhoto` (security rule 16). */
export function isTooWide(content: Uint8Array): boolean {
  // What reads it copies what it is given, which is no more than it needs: only a JPEG tells its size further in.
  const header = extensionOf(content) === 'jpg' ? content : content.subarray(0, 64)
  const told = imageDimensionsFromData(header)
  return told !== undefined && Math.max(told.width, told.height) > widestPhoto
}

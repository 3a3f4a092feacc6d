import type { Square } from './square.ts'

/** Pixels of the longest side of a photo that is sent. */
const mostSide = 512
const jpegQuality = 0.9

/** Fills a canvas with a square of a picture. */
export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, square: Square): void {
  const { left, top, side } = square
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.imageSmoothingQuality = 'high'
  pen.clearRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

/**
 * Renders a square of a picture as the photo to send, redrawn so that the file holds nothing but what is
 * seen. It has no more pixels than the square. Synchronous, since a form being sent does not wait.
 */
export function photoOf(picture: ImageBitmap, square: Square): File {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.min(mostSide, Math.max(1, Math.round(square.side)))
  draw(canvas, picture, square)
  // PNG for transparency, which JPEG lacks; not every browser encodes WebP.
  const type = isOpaque(canvas) ? 'image/jpeg' : 'image/png'
  const url = canvas.toDataURL(type, jpegQuality)
  const content = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (c) => c.charCodeAt(0))
  return new File([content], 'photo', { type })
}

/** Whether a canvas returns what was drawn: some browsers add noise against fingerprinting. */
export function canDraw(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 8
  const pen = canvas.getContext('2d')
  if (!pen) return false
  const drawn = [64, 128, 192, 255]
  pen.fillStyle = `rgb(${drawn.slice(0, 3).join()})`
  pen.fillRect(0, 0, 8, 8)
  return pen.getImageData(0, 0, 8, 8).data.every((value, at) => isNear(value, drawn[at % 4]))
}

/** Whether two values differ too little to be seen. */
function isNear(value: number, drawn = 0): boolean {
  return Math.abs(value - drawn) < 8
}

function isOpaque(canvas: HTMLCanvasElement): boolean {
  const { width, height } = canvas
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
  return pixels.every((value, at) => at % 4 !== 3 || value === 255)
}

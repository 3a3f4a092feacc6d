export interface Size {
  readonly width: number
  readonly height: number
}

/** The visible part of a picture, in pixels of the picture. */
export interface Square {
  readonly left: number
  readonly top: number
  readonly side: number
}

/** A place in a square, or a distance across it, as a fraction of its side. */
export interface Share {
  readonly x: number
  readonly y: number
}

const middle: Share = { x: 0.5, y: 0.5 }
const mostZoom = 4
/** Pixels: the profile shows the photo at 96 CSS pixels, on a screen with two pixels for each. */
const smallestSide = 192

/** Returns the largest centred square of a picture. */
export function largestSquare(picture: Size): Square {
  const side = shortestSide(picture)
  return { left: (picture.width - side) / 2, top: (picture.height - side) / 2, side }
}

/** Returns the zoom of a square: how much larger it shows the picture than the largest square does. */
export function zoomOf({ side }: Square, picture: Size): number {
  return shortestSide(picture) / side
}

/** Returns the highest zoom of a picture. Small ones cannot be zoomed: too few pixels would be left. */
export function mostZoomOf(picture: Size): number {
  return Math.min(mostZoom, Math.max(1, shortestSide(picture) / smallestSide))
}

/** Returns the square after the picture was moved below it; it stays within the picture. */
export function moved({ left, top, side }: Square, by: Share, picture: Size): Square {
  return within({ left: left - by.x * side, top: top - by.y * side, side }, picture)
}

/** Returns the square at another zoom, within the limits, with the place `at` fixed. */
export function zoomed(
  square: Square,
  zoom: number,
  { picture, at = middle }: { readonly picture: Size; readonly at?: Share },
): Square {
  const kept = Math.min(Math.max(zoom, 1), mostZoomOf(picture))
  const side = shortestSide(picture) / kept
  const grown = square.side - side
  const [left, top] = [square.left + at.x * grown, square.top + at.y * grown]
  return within({ left, top, side }, picture)
}

/** Returns the middle of the square, as fractions of the picture's width and height. */
export function middleOf({ left, top, side }: Square, { width, height }: Size): Share {
  return { x: (left + side / 2) / width, y: (top + side / 2) / height }
}

function within({ left, top, side }: Square, { width, height }: Size): Square {
  return {
    left: Math.min(Math.max(left, 0), width - side),
    top: Math.min(Math.max(top, 0), height - side),
    side,
  }
}

function shortestSide({ width, height }: Size): number {
  return Math.min(width, height)
}

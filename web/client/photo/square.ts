export interface Size {
  readonly width: number
  readonly height: number
}

/** The part of a picture that is kept, in pixels of the picture. */
export interface Square {
  readonly left: number
  readonly top: number
  readonly side: number
}

/** A place in a square, or a way across it, in shares of its side. */
export interface Share {
  readonly x: number
  readonly y: number
}

const middle: Share = { x: 0.5, y: 0.5 }
const mostZoom = 4
/** Pixels: the photo of the profile, on a screen with two of them for one of CSS. */
const smallestSide = 192

/** As much as a square holds of the picture, from its middle. */
export function largestSquare(picture: Size): Square {
  const side = shortestSide(picture)
  return { left: (picture.width - side) / 2, top: (picture.height - side) / 2, side }
}

/** How many times larger than in the largest square the picture is shown in this one. */
export function zoomOf({ side }: Square, picture: Size): number {
  return shortestSide(picture) / side
}

/** The most that a picture may be zoomed: a small one not at all, since nothing would be left of it. */
export function mostZoomOf(picture: Size): number {
  return Math.min(mostZoom, Math.max(1, shortestSide(picture) / smallestSide))
}

/** The square after the picture was moved below it, no further than its edges. */
export function moved({ left, top, side }: Square, by: Share, picture: Size): Square {
  return within({ left: left - by.x * side, top: top - by.y * side, side }, picture)
}

/** The square at another zoom, as far as that goes; what it shows at this place stays there. */
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

/** Where the middle of the square is in the picture, in shares of its width and height. */
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

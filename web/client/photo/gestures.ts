import type { Share } from './square.ts'

/** The effects of gestures on the picture in an area. */
export interface Hands {
  /** Moves it by fractions of the area's side. */
  readonly move: (by: Share) => void
  /** Scales it around a place in the area; around its middle if none is given. */
  readonly zoom: (factor: number, at?: Share) => void
}

const keyMove = 1 / 20
const keyZoom = 1.1
/** Zoom per pixel of a wheel event. A touchpad's pinch is one with Ctrl and far fewer pixels. */
const wheelZoom = 0.002
const padZoom = 0.01
/** Pixels per line, for wheel events that count in lines. */
const linePixels = 16
/** Pixels that a pointer may move in a press before it counts as a drag. */
const shake = 6

/**
 * Handles dragging with a pointer, and pinching with two. A press without a drag moves the pressed place to
 * the middle, for people who cannot drag (WCAG 2.5.7).
 */
export function followPointers(area: HTMLElement, hands: Hands, signal: AbortSignal): void {
  const down = new Map<number, Share>()
  /** Where the only pointer came down, until it drags or another joins it. */
  let pressed: MouseEvent | undefined
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || down.size === 2) return
    area.setPointerCapture(event.pointerId)
    down.set(event.pointerId, placeIn(area, event))
    pressed = down.size === 1 ? event : undefined
  }
  const drag = (event: PointerEvent) => {
    const { pointerId } = event
    const before = down.get(pointerId)
    if (!before) return
    if (pressed && pixelsApart(pressed, event) > shake) pressed = undefined
    const now = placeIn(area, event)
    down.set(pointerId, now)
    const other = [...down].find(([id]) => id !== pointerId)?.[1]
    // The midpoint of two fingers moves half as far as the one finger that moves.
    const half = other ? 2 : 1
    hands.move({ x: (now.x - before.x) / half, y: (now.y - before.y) / half })
    if (other) hands.zoom(apart(now, other) / apart(before, other), between(now, other))
  }
  const letGo = (event: PointerEvent) => {
    if (!pressed || !down.has(event.pointerId)) return
    const { x, y } = placeIn(area, event)
    hands.move({ x: 0.5 - x, y: 0.5 - y })
    pressed = undefined
  }
  area.addEventListener('pointerdown', press, { signal })
  area.addEventListener('pointermove', drag, { signal })
  area.addEventListener('pointerup', letGo, { signal })
  area.addEventListener('lostpointercapture', ({ pointerId }) => down.delete(pointerId), { signal })
}

/** Handles the wheel, and the pinch on a touchpad, which browsers report as wheel events. */
export function followWheel(area: HTMLElement, hands: Hands, signal: AbortSignal): void {
  const zoomByWheel = (event: WheelEvent) => {
    event.preventDefault()
    const pixels = event.deltaY * (event.deltaMode === event.DOM_DELTA_LINE ? linePixels : 1)
    hands.zoom(Math.exp(-pixels * (event.ctrlKey ? padZoom : wheelZoom)), placeIn(area, event))
  }
  area.addEventListener('wheel', zoomByWheel, { signal, passive: false })
}

/** Handles the arrow keys, + and -; calls `done` after each. */
export function followKeys(
  area: HTMLElement,
  { move, zoom }: Hands,
  { done, signal }: { readonly done: () => void; readonly signal: AbortSignal },
): void {
  const larger = () => zoom(keyZoom)
  const smaller = () => zoom(1 / keyZoom)
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: () => move({ x: -keyMove, y: 0 }),
    ArrowRight: () => move({ x: keyMove, y: 0 }),
    ArrowUp: () => move({ x: 0, y: -keyMove }),
    ArrowDown: () => move({ x: 0, y: keyMove }),
    '+': larger,
    // The key of + without Shift.
    '=': larger,
    '-': smaller,
  }
  const press = (event: KeyboardEvent) => {
    const answer = keys[event.key]
    // With Ctrl the browser zooms the whole page.
    if (!answer || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    answer()
    done()
  }
  area.addEventListener('keydown', press, { signal })
}

function placeIn(area: HTMLElement, { clientX, clientY }: MouseEvent): Share {
  const { left, top, width, height } = area.getBoundingClientRect()
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

function pixelsApart(one: MouseEvent, other: MouseEvent): number {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
}

function apart(one: Share, other: Share): number {
  return Math.max(Math.hypot(one.x - other.x, one.y - other.y), 0.01)
}

function between(one: Share, other: Share): Share {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

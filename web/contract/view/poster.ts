/** How the mark stands in a drawing of its own, 480 units wide and 520 high. */
export const markLarge = 'translate(0 20) scale(15)'

/** Rings that spread from the mark: circles around 240, 260, each fainter than the one before. */
export const rings = [120, 170, 220, 270, 320, 370, 420].map((radius) => ({
  radius,
  opacity: 1.25 - radius / 400,
}))

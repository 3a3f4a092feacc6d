/** The transform of the mark in a drawing of 480 by 520 units. */
export const markLarge = 'translate(0 20) scale(15)'

/** Rings around the mark: circles around 240, 260, each fainter than the previous. */
export const rings = [120, 170, 220, 270, 320, 370, 420].map((radius) => ({
  radius,
  opacity: 1.25 - radius / 400,
}))

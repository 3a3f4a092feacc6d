/** The mark as a drawing of its own, 480 units wide and 520 high: the keyhole, and what spreads from it. */
export const keyhole = 'M240 116a84 84 0 0 0-46 154L152 520h176l-42-250a84 84 0 0 0-46-154Z'

/** Circles around 240, 200: each is fainter than the one before. */
export const rings = [120, 170, 220, 270, 320, 370, 420].map((radius) => ({
  radius,
  opacity: 1.25 - radius / 400,
}))

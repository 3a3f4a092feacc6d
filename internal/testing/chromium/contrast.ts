/** Returns the contrast ratio of two opaque colours, such as `#0b6b4f`: from 1 to 21 (WCAG 2.2: contrast ratio). */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the relative luminance, from 0, black, to 1, white (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: string): number[] {
  const digits = /^#([\da-f]{6})$/i.exec(colour)?.[1]
  if (!digits) throw new Error(`${colour} is not # and six hexadecimal digits.`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
}

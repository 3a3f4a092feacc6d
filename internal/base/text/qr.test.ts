import { expect, test } from 'vitest'
import { qrCode, qrSvg } from './qr.ts'

const text = 'otpauth://totp/app:ann%40x.test?issuer=app&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

function svgOf(text: string): string {
  return qrSvg(qrCode(text))
}

/** Returns what the black path paints: one text per row, `#` for black. */
function painted(svg: string): string[] {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'))
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]?.fill('#', Number(x), Number(x) + Number(width))
  return rows.map((row) => row.join(''))
}

const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']

function corner(rows: string[], x: number, y: number): string[] {
  return rows.slice(y, y + 7).map((row) => row.slice(x, x + 7))
}

test('a QR code has a quiet zone of four modules around it', () => {
  const rows = painted(svgOf(text))
  const edges = [...rows.slice(0, 4), ...rows.slice(-4)].join('')
  const sides = rows.map((row) => row.slice(0, 4) + row.slice(-4)).join('')
  expect([edges, sides].map((zone) => zone.includes('#'))).toEqual([false, false])
  expect(rows.some((row) => row[4] === '#')).toBe(true)
})

test('a QR code has finder patterns in exactly three corners', () => {
  const rows = painted(svgOf(text))
  const far = rows.length - 4 - 7
  expect((rows.length - 8 - 17) % 4).toBe(0)
  expect([corner(rows, 4, 4), corner(rows, far, 4), corner(rows, 4, far)]).toEqual([
    finder,
    finder,
    finder,
  ])
  expect(corner(rows, far, far)).not.toEqual(finder)
})

test('a QR code is black on white, in two paths with crisp edges and no other attributes', () => {
  const svg = svgOf(text)
  const fills = [...svg.matchAll(/<path fill="(#\w+)"/g)].map(([, fill]) => fill)
  expect(fills).toEqual(['#fff', '#000'])
  expect(svg).toContain('shape-rendering="crispEdges"')
  expect(svg).not.toMatch(/style|class|role|aria|<script|width=|height=/)
})

test('another text gives another QR code, and the SVG does not contain the text', () => {
  expect(svgOf(`${text}&digits=6`)).not.toBe(svgOf(text))
  expect(svgOf('"><script>')).not.toContain('script')
})

test('a text of 2,331 bytes fits a QR code, and a longer one is an error', () => {
  expect(painted(svgOf('x'.repeat(2331)))).toHaveLength(177 + 8)
  expect(() => svgOf('x'.repeat(2332))).toThrow()
})

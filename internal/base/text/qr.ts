import { encode } from 'uqr'
import type { QrCode } from '../../../web/contract/two-factor.ts'

// The width of the white margin that scanners need, in modules (ISO/IEC 18004).
const quietZone = 4

/** Returns a text's QR code, one unit per module. Throws for over 2,331 bytes, the most that it holds. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  return { size, paper: `M0 0h${size}v${size}H0z`, bars: bars(data) }
}

/**
 * Returns a QR code as SVG, black on white in either appearance, without a size. The page describes it for
 * screen readers.
 */
export function qrSvg({ size, paper, bars }: QrCode): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="${paper}"/><path fill="#000" d="${bars}"/></svg>`
  )
}

/**
 * Returns a bar for each run of black modules in a row, all in one path: a square for each would show seams.
 */
function bars(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const runs = row
        .map((black) => (black ? '1' : '0'))
        .join('')
        .matchAll(/1+/g)
      return [...runs].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    })
    .join('')
}

import type { QrCode as Code } from '../../../contract/two-factor.ts'

/** A QR code, black on white in both appearances, with crisp edges. */
export function QrCode({ code, label }: { code: Code; label: string }) {
  return (
    <svg
      class="qr"
      width="208"
      height="208"
      viewBox={`0 0 ${code.size} ${code.size}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={code.paper} />
      <path fill="#000" d={code.bars} />
    </svg>
  )
}

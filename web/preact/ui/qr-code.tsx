/** Draws the server's SVG of a QR code, path by path: the policy allows no markup from text. */
export function QrCode({ svg, label }: { svg: string; label: string }) {
  const [, size = '0'] = /viewBox="0 0 (\d+)/.exec(svg) ?? []
  const paths = [...svg.matchAll(/<path fill="([^"]+)" d="([^"]+)"/g)]
  return (
    <svg
      class="qr"
      width="208"
      height="208"
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      {paths.map(([, fill, d]) => (
        <path key={fill} fill={fill} d={d} />
      ))}
    </svg>
  )
}

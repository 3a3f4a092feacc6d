interface IconProps {
  /** The `d` of a path in a square of 20 units. */
  readonly path: string
  readonly class?: string
  /** Width and height in pixels, also without a stylesheet. */
  readonly size?: number
}

/** An icon next to text that says the same: screen readers skip it. */
export function Icon({ path, class: extraClass = '', size = 20 }: IconProps) {
  return (
    <svg
      class={extraClass ? `icon ${extraClass}` : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

interface IconProps {
  /** In a square of 20 units. */
  readonly path: string
  readonly class?: string
  /** Pixels a side, without a stylesheet too. */
  readonly size?: number
}

/** A drawing beside words that say the same. */
export function Icon({ path, class: look = '', size = 20 }: IconProps) {
  return (
    <svg
      class={look ? `icon ${look}` : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

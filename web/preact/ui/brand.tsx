import { brandName, mark } from '../../brand/brand.ts'

/** The way back to the start, by mark and name. */
export function Brand({ to }: { to: string }) {
  return (
    <a class="brand" href={to}>
      <Mark />
      {brandName}
    </a>
  )
}

function Mark() {
  return (
    <svg class="mark" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d={mark} />
    </svg>
  )
}

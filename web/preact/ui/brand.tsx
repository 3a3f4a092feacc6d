import { brandName } from '../../brand/brand.ts'
import { mark } from '../../brand/mark.ts'

/** The link to the start page: mark and name. */
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

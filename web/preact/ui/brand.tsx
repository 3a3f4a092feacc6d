import { appName } from '../../contract/name.ts'
import { mark } from '../../contract/view/mark.ts'

/** The way back to the start, by mark and name. */
export function Brand({ to }: { to: string }) {
  return (
    <a class="brand" href={to}>
      <Mark />
      {appName}
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

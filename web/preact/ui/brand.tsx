import { appName } from '../../contract/name.ts'

/** The way back to the start, by mark and name. */
export function Brand({ to }: { to: string }) {
  return (
    <a class="brand" href={to}>
      <Mark />
      {appName}
    </a>
  )
}

/** A keyhole that is also a person. `web/icon.svg` is the same drawing for the browser's tab. */
function Mark() {
  return (
    <svg class="mark" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M16 6a5.5 5.5 0 0 0-3 10.1L10.6 25a1 1 0 0 0 1 1.3h8.8a1 1 0 0 0 1-1.3L19 16.1A5.5 5.5 0 0 0 16 6Z" />
    </svg>
  )
}

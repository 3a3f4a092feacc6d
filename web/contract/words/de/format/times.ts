// oxfmt-ignore
const months = [
  'Januar', 'Februar', 'März', 'April', 'Mai', 'Juni',
  'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember',
] as const

/** Formats a date as `3. März 2026`: in UTC, so that server and browser agree. */
export function dayOf(time: Date): string {
  return `${time.getUTCDate()}.\u00a0${months[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** Formats a time as `3. März 2026, 23:30 Uhr (UTC)`. */
export function momentOf(time: Date): string {
  return `${dayOf(time)}, ${time.toISOString().slice(11, 16)}\u00a0Uhr (UTC)`
}

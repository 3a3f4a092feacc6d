// oxfmt-ignore
const months = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const

/** Formats a date as `3 March 2026`: in fixed words and in UTC, so that server and browser agree. */
export function dayOf(time: Date): string {
  return `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** Formats a time as `3 March 2026, 23:30 UTC`. */
export function momentOf(time: Date): string {
  return `${dayOf(time)}, ${time.toISOString().slice(11, 16)} UTC`
}

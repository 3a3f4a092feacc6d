// oxfmt-ignore
const months = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const

/** `3 March 2026`: in one language and one zone, so that server and browser write the same. */
export function dayOf(time: Date): string {
  return `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

/** `3 March 2026, 23:30 UTC`. */
export function momentOf(time: Date): string {
  return `${dayOf(time)}, ${time.toISOString().slice(11, 16)} UTC`
}

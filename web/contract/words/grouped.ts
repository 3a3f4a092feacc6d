/** Formats an integer in groups of three digits. Not with `Intl`, which adds 20 ms to each server start. */
export function grouped(number: number, between: string): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, between)
}

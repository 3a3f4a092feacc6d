import { median, p99 } from '../../bench/table.ts'

/**
 * Returns the median of the p99 of each two hundred values, so that a moment when the machine was busy does not
 * decide.
 */
export function steadyP99(values: readonly number[]): number {
  const parts = Math.max(1, Math.floor(values.length / 200))
  const size = Math.ceil(values.length / parts)
  return median(
    Array.from({ length: parts }, (_, n) => p99(values.slice(n * size, (n + 1) * size))),
  )
}

/** `1,234 ms`. */
export function ms(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : count(Math.round(milliseconds))} ms`
}

/** `20,000`. */
export function count(value: number): string {
  return value.toLocaleString('en')
}

export function maximum(values: readonly number[]): number {
  return Math.max(0, ...values)
}

/** The value that 99 of a hundred do not pass. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
}

/** The middle one of the p99 of each two hundred, so that a moment in which the machine was busy is one of many. */
export function steadyP99(values: readonly number[]): number {
  const parts = Math.max(1, Math.floor(values.length / 200))
  const size = Math.ceil(values.length / parts)
  const all = Array.from({ length: parts }, (_, n) => p99(values.slice(n * size, (n + 1) * size)))
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}

/** `1,234 ms`. */
export function ms(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : count(Math.round(milliseconds))} ms`
}

/** `20,000`. */
export function count(value: number): string {
  return value.toLocaleString('en')
}

export function most(values: readonly number[]): number {
  return Math.max(0, ...values)
}

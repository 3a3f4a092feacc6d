/** What is measured, and what it is measured beside, in the same unit. */
export interface Comparison {
  readonly what: string
  readonly beside: string
  /** Of performance.md: what the ratio is to be at least, or at most. */
  readonly aim?: { readonly least: number } | { readonly most: number }
  readonly unit: string
  readonly of: () => Promise<number>
  readonly to: () => Promise<number>
}

export interface Row {
  readonly what: string
  readonly aim: string
  readonly figures: string
}

/** Measures them in turn, round after round, so that whatever else the machine does falls on both sides alike. */
export async function compared(
  rounds: number,
  comparisons: readonly Comparison[],
): Promise<readonly Row[]> {
  const measured = comparisons.map((comparison) => ({
    comparison,
    of: [] as number[],
    to: [] as number[],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { comparison, of, to } of measured) {
      to.push(await comparison.to())
      of.push(await comparison.of())
    }
  }
  return measured.map(row)
}

function row({ comparison, of, to }: { comparison: Comparison; of: number[]; to: number[] }): Row {
  const { what, beside, aim, unit } = comparison
  const ratios = of.map((value, i) => value / (to[i] ?? 0))
  const ratio = median(ratios)
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
  const sides = `${shown(median(of))} ${unit}, ${beside} ${shown(median(to))}`
  return {
    what,
    aim: judged(ratio, aim),
    figures: `${ratio.toFixed(2).padStart(5)}  ${range.padEnd(11)}  ${sides}`,
  }
}

function judged(ratio: number, aim: Comparison['aim']): string {
  if (!aim) return ''
  if ('least' in aim) return `≥ ${aim.least.toFixed(2)} ${ratio >= aim.least ? ' ' : '✗'}`
  return `≤ ${aim.most.toFixed(2)} ${ratio <= aim.most ? ' ' : '✗'}`
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

/** The value that 99 of a hundred do not pass. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
}

export function shown(value: number): string {
  return value < 1000 ? value.toPrecision(3) : Math.round(value).toLocaleString('en')
}

export function printTable(rows: readonly Row[]): void {
  for (const { what, aim, figures } of rows)
    console.log(`${what.padEnd(46)}${aim.padEnd(10)}${figures}`)
}

/** How to read the table, and what it lacks. `load` is the machine's before the benchmarks began. */
export function printNotes(load: string): void {
  console.log(`
Ratio: median of the rounds, with its range. ✗: the aim is missed. The server writes a line for each request.
Load of the machine before: ${load}. Above 0.5 the rates are no measure of the service.
Not measured: a login without its hash (nothing turns the hash off), other projects (their packages are not
part of this one).`)
}

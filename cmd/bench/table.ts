/** A figure in the comparison's unit. `processor`: microseconds of the program's processor time per request. */
export type Measured = number | { readonly value: number; readonly processor: number }

/** A measurement, and the reference that it is compared with, in the same unit. */
export interface Comparison {
  readonly title: string
  readonly referenceName: string
  /** The minimum or maximum ratio, by performance.md. */
  readonly aim?: { readonly least: number } | { readonly most: number }
  readonly unit: string
  readonly measure: () => Promise<Measured>
  readonly measureReference: () => Promise<Measured>
}

export interface Row {
  readonly title: string
  readonly aim: string
  readonly figures: string
}

/** Measures both sides of each comparison in turn, round after round, so that other load affects both alike. */
export async function compare(
  rounds: number,
  comparisons: readonly Comparison[],
): Promise<readonly Row[]> {
  const results = comparisons.map((comparison) => ({
    comparison,
    values: [] as Measured[],
    referenceValues: [] as Measured[],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { comparison, values, referenceValues } of results) {
      referenceValues.push(await comparison.measureReference())
      values.push(await comparison.measure())
    }
  }
  return results.map(row)
}

interface ComparedRounds {
  readonly comparison: Comparison
  readonly values: readonly Measured[]
  readonly referenceValues: readonly Measured[]
}

function row({ comparison, values, referenceValues }: ComparedRounds): Row {
  const { title, referenceName, aim, unit } = comparison
  const ratios = values.map((measured, i) => valueOf(measured) / valueOf(referenceValues[i] ?? 0))
  const ratio = median(ratios)
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
  const measurements = `${measurement(values, ` ${unit}`)}, ${referenceName} ${measurement(referenceValues, '')}`
  return {
    title,
    aim: verdict(ratio, aim),
    figures: `${ratio.toFixed(2).padStart(5)}  ${range.padEnd(11)}  ${measurements}`,
  }
}

/** Formats the median of the measurements, with the processor time in brackets. */
function measurement(rounds: readonly Measured[], unit: string): string {
  const times = rounds.flatMap((round) => (typeof round === 'number' ? [] : [round.processor]))
  const time = times.length > 0 ? ` (${threeDigits(median(times))} µs)` : ''
  return threeDigits(median(rounds.map(valueOf))) + unit + time
}

function valueOf(measured: Measured): number {
  return typeof measured === 'number' ? measured : measured.value
}

function verdict(ratio: number, aim: Comparison['aim']): string {
  if (!aim) return ''
  if ('least' in aim) return `≥ ${aim.least.toFixed(2)} ${ratio >= aim.least ? ' ' : '✗'}`
  return `≤ ${aim.most.toFixed(2)} ${ratio <= aim.most ? ' ' : '✗'}`
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

/** Returns the 99th percentile. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
}

export function threeDigits(value: number): string {
  return value < 1000 ? value.toPrecision(3) : Math.round(value).toLocaleString('en')
}

export function printTable(rows: readonly Row[]): void {
  for (const { title, aim, figures } of rows)
    console.log(`${title.padEnd(46)}${aim.padEnd(10)}${figures}`)
}

/** Prints how to read the table, and what it lacks. `load` is the machine's before the benchmarks began. */
export function printNotes(load: string): void {
  console.log(`
Ratio: median of the rounds, with its range. ✗: the aim is missed. In brackets: processor time a request, of all
threads of the program. The server writes a line for each request.
Load of the machine before: ${load}. Above 0.5 the rates are no measure of the service.
Beside other projects: \`npm run bench -- --peers\`. Not measured: django-allauth.`)
}

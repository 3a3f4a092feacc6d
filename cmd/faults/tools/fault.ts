/** A tried fault, and whether its promise held. */
export interface Verdict {
  readonly fault: string
  /** What must hold, with its limit. */
  readonly promise: string
  /** What was measured: counts, times, each with its unit. */
  readonly figures: string
  readonly isKept: boolean
}

/** How thorough a run is: as much as the promise says, or `quick`, so that all faults together take some minutes. */
export interface Extent {
  readonly quick: boolean
  /** How long the soak takes. */
  readonly minutes: number
  /** The database of the tested build. */
  readonly database: string
}

/** Causes one fault on servers of its own, and returns the results. Leaves no process and no file. */
export type Fault = (extent: Extent) => Promise<readonly Verdict[]>

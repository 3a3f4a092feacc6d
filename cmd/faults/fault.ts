/** A fault and what is promised under it, as it was tried. */
export interface Tried {
  readonly fault: string
  /** What must hold, with its limit. */
  readonly promise: string
  /** What was measured: counts, times, each with its unit. */
  readonly measured: string
  readonly holds: boolean
}

/** How thorough a try is: as the promise says, or `quick`, so that all of them take some minutes. */
export interface Extent {
  readonly quick: boolean
  /** Of the soak. */
  readonly minutes: number
  /** The one that the tried build is for. */
  readonly database: string
}

/** Brings about one fault on servers of its own, and says what came of it. Leaves no process and no file. */
export type Fault = (extent: Extent) => Promise<readonly Tried[]>

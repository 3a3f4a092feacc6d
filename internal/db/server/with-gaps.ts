import type { Broadcast } from '../broadcasts.ts'
import { longestTransaction, type Events } from '../polled-feed.ts'

/** IDs without a row: their events are not committed yet, were rolled back, or are pruned. */
export interface Gap {
  readonly low: number
  readonly high: number
  readonly foundAt: number
}

export interface BroadcastRows {
  /** Returns the highest IDs in descending order. */
  newest(most: number): Promise<readonly number[]>
  /** Returns the events with a higher ID, in order of their IDs. */
  after(id: number, most: number): Promise<readonly Broadcast[]>
  /** Returns the events in any of the gaps, in order of their IDs. */
  within(gaps: readonly Gap[]): Promise<readonly Broadcast[]>
}

// How many IDs below the last one are searched for gaps at first: open transactions may own them.
const before = 1000
const atOnce = 1000

/**
 * Reads events in order of their IDs. An ID is assigned when a row is written, and a higher one may be committed
 * first: so gaps are read again.
 */
export class WithGaps implements Events {
  readonly #rows: BroadcastRows
  #last = 0
  #gaps: readonly Gap[] = []

  constructor(rows: BroadcastRows) {
    this.#rows = rows
  }

  async begin(): Promise<void> {
    const newest = await this.#rows.newest(before)
    const last = newest[0] ?? 0
    const ids = newest.filter((id) => id > last - before)
    this.#gaps = gapsIn(ids.toReversed(), Math.max(0, last - before))
    this.#last = last
  }

  async next(): Promise<readonly Broadcast[]> {
    const [after, gaps, began] = [this.#last, this.#gaps, performance.now()]
    const rows = await this.#rows.after(after, atOnce)
    // Read after `rows` but passed on before it: so an event precedes those whose transactions began after its
    // commit.
    const late = gaps.length === 0 ? [] : await this.#rows.within(gaps)
    this.#last = rows.at(-1)?.id ?? after
    const ids = rows.map(({ id }) => id)
    // Each gap is read once more after the time in which it can fill: the process may have been blocked that long.
    const open = gaps.filter(({ foundAt }) => began - foundAt < longestTransaction)
    this.#gaps = [...open.flatMap((gap) => without(gap, late)), ...gapsIn(ids, after)]
    return [...late, ...rows]
  }
}

/** Returns the gaps between sorted IDs, and the one between `after` and the first of them. */
function gapsIn(ids: readonly number[], after: number): Gap[] {
  const foundAt = performance.now()
  return ids
    .map((id, at) => ({ low: (ids[at - 1] ?? after) + 1, high: id - 1, foundAt }))
    .filter(({ low, high }) => low <= high)
}

/** Returns what remains of a gap once these late events are found. */
function without(gap: Gap, late: readonly Broadcast[]): Gap[] {
  const ids = late.map(({ id }) => id).filter((id) => id >= gap.low && id <= gap.high)
  return gapsIn([...ids, gap.high + 1], gap.low - 1).map((gap) => ({
    ...gap,
    foundAt: gap.foundAt,
  }))
}

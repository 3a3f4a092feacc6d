import type { Broadcast } from '../broadcasts.ts'
import { longestTransaction, type Events } from '../polled-feed.ts'

/** IDs without a row: their events are not committed yet, were rolled back, or are pruned. */
export interface Gap {
  readonly low: number
  readonly high: number
  readonly foundAt: number
}

export interface BroadcastRows {
  /** The highest IDs, the highest first. */
  newest(most: number): Promise<readonly number[]>
  /** The events with a higher ID, in the order of their IDs. */
  after(id: number, most: number): Promise<readonly Broadcast[]>
  /** The events in any of the gaps, in the order of their IDs. */
  within(gaps: readonly Gap[]): Promise<readonly Broadcast[]>
}

// How many IDs before the last one are searched for gaps at first: transactions under way may have been given them.
const before = 1000
const atOnce = 1000

/**
 * Reads events in the order of their IDs. An ID is given as a row is written, and a later one may be committed first:
 * so gaps are read again.
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
    const found = await this.#rows.after(after, atOnce)
    // Read after `found`, told before it: so an event comes before those whose transactions began after its commit.
    const late = gaps.length === 0 ? [] : await this.#rows.within(gaps)
    this.#last = found.at(-1)?.id ?? after
    const ids = found.map(({ id }) => id)
    // Each gap is read once more after the time in which it can fill: the process may have been held up for that long.
    const open = gaps.filter(({ foundAt }) => began - foundAt < longestTransaction)
    this.#gaps = [...open.flatMap((gap) => without(gap, late)), ...gapsIn(ids, after)]
    return [...late, ...found]
  }
}

/** The gaps between IDs that are in order, and the one between `after` and the first of them. */
function gapsIn(ids: readonly number[], after: number): Gap[] {
  const foundAt = performance.now()
  return ids
    .map((id, at) => ({ low: (ids[at - 1] ?? after) + 1, high: id - 1, foundAt }))
    .filter(({ low, high }) => low <= high)
}

/** What is left of a gap once these late events are found. */
function without(gap: Gap, late: readonly Broadcast[]): Gap[] {
  const inside = late.map(({ id }) => id).filter((id) => id >= gap.low && id <= gap.high)
  return gapsIn([...inside, gap.high + 1], gap.low - 1).map((left) => ({
    ...left,
    foundAt: gap.foundAt,
  }))
}

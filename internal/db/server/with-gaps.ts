import type { Broadcast } from '../broadcasts.ts'
import { longestTransaction, type Events } from '../polled-feed.ts'

/** IDs that were given and are not there: of what is not committed yet, was rolled back, or is pruned. */
export interface Gap {
  readonly low: number
  readonly high: number
  readonly seenAt: number
}

export interface BroadcastRows {
  /** The highest IDs, these first. */
  newest(most: number): Promise<readonly number[]>
  /** Those with a higher ID, in their order. */
  after(id: number, most: number): Promise<readonly Broadcast[]>
  /** Those in any of the gaps, in their order. */
  within(gaps: readonly Gap[]): Promise<readonly Broadcast[]>
}

// IDs before the last one that a transaction under way may have been given.
const before = 1000
const atOnce = 1000

/** An ID is given as a row is written, and one that was given later may be committed first: so gaps are read again. */
export class WithGaps implements Events {
  readonly #rows: BroadcastRows
  #last = 0
  #gaps: readonly Gap[] = []

  constructor(rows: BroadcastRows) {
    this.#rows = rows
  }

  async begin(): Promise<void> {
    const there = await this.#rows.newest(before)
    const last = there[0] ?? 0
    const ids = there.filter((id) => id > last - before)
    this.#gaps = gapsIn(ids.toReversed(), Math.max(0, last - before))
    this.#last = last
  }

  async next(): Promise<readonly Broadcast[]> {
    const [after, gaps, began] = [this.#last, this.#gaps, performance.now()]
    const found = await this.#rows.after(after, atOnce)
    // Afterwards: what was committed before one of these began is there too, and is told before it.
    const late = gaps.length === 0 ? [] : await this.#rows.within(gaps)
    this.#last = found.at(-1)?.id ?? after
    const ids = found.map(({ id }) => id)
    // Looked into once more after the time in which it was filled, if ever: whoever reads may have been held.
    const open = gaps.filter(({ seenAt }) => began - seenAt < longestTransaction)
    this.#gaps = [...open.flatMap((gap) => without(gap, late)), ...gapsIn(ids, after)]
    return [...late, ...found]
  }
}

/** Those between IDs in their order, of which the first comes after another. */
function gapsIn(ids: readonly number[], after: number): Gap[] {
  const seenAt = performance.now()
  return ids
    .map((id, at) => ({ low: (ids[at - 1] ?? after) + 1, high: id - 1, seenAt }))
    .filter(({ low, high }) => low <= high)
}

/** What is left of a gap. */
function without(gap: Gap, late: readonly Broadcast[]): Gap[] {
  const inside = late.map(({ id }) => id).filter((id) => id >= gap.low && id <= gap.high)
  return gapsIn([...inside, gap.high + 1], gap.low - 1).map((left) => ({
    ...left,
    seenAt: gap.seenAt,
  }))
}

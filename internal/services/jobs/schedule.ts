import { cache } from '#db/cache'
import { jobs } from '#db/jobs'
import { day, hour, minute } from '../../base/time-units.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { ScheduledName } from './job-names.ts'

/** A job pushed at the start of every minute, hour, night (3:00 UTC) or week (Monday, 3:00 UTC). */
export interface Scheduled {
  readonly name: ScheduledName
  readonly every: keyof typeof periods
}

// oxfmt-ignore
const periods = {
  minute: { length: minute,    from: 0 },
  hour:   { length: hour,      from: 0 },
  night:  { length: day,       from: 3 * hour },
  // The first Monday since 1970.
  week:   { length: 7 * day,   from: 4 * day + 3 * hour },
}

/** Pushes each job once a period, from whichever process is first; makes up for a missed one at start. */
export class Schedule {
  readonly #app: App
  readonly #rows: readonly Scheduled[]
  /** The start of each job's last period known to this process. */
  readonly #started = new Map<ScheduledName, string>()

  constructor(app: App, rows: readonly Scheduled[]) {
    this.#app = app
    this.#rows = rows
  }

  /** Pushes due jobs. Runs no statement unless a period has begun since the last call. */
  async pushDue(): Promise<void> {
    const now = this.#app.now()
    const due = this.#rows
      .map(({ name, every }) => ({ name, ...periodAt(every, now) }))
      .filter(({ name, begin }) => this.#started.get(name) !== begin)
    if (due.length === 0) return
    await this.#app.db.transaction(async (tx) => {
      for (const period of due) await this.#push(tx, period, now)
    })
    for (const { name, begin } of due) this.#started.set(name, begin)
  }

  async #push(
    tx: Tx,
    { name, begin, end }: Period & { name: ScheduledName },
    at: Date,
  ): Promise<void> {
    const isOurs = await cache.replace(tx, {
      key: `schedule:${name}`,
      value: begin,
      // A later period is kept: another process's clock runs ahead. One beyond the next was stored before the
      // clock was set back, and is replaced.
      unless: { from: begin, to: end },
    })
    if (isOurs) await jobs.insertIfNone(tx, { name, payload: '{}', at })
  }
}

interface Period {
  /** ISO 8601. */
  readonly begin: string
  readonly end: string
}

function periodAt(every: Scheduled['every'], now: Date): Period {
  const { length, from } = periods[every]
  const begin = Math.floor((now.getTime() - from) / length) * length + from
  return { begin: new Date(begin).toISOString(), end: new Date(begin + length).toISOString() }
}

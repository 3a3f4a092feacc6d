import { jobs } from '#db/jobs'
import { presences } from '#db/presence'
import type { App } from '../../app.ts'
import type { Facts } from '../../base/log.ts'
import type { Presence } from '../../db/presence.ts'
import { mostRuns } from './retry-delays.ts'

/** What this process has claimed, and what those claimed that are gone. */
export class Claims {
  readonly #app: App
  readonly #known: readonly string[]
  readonly #told = new Set<string>()
  #presence: Presence | undefined

  /** `known`: the names of the jobs that this version runs. */
  constructor(app: App, known: readonly string[]) {
    this.#app = app
    this.#known = known
  }

  /** Whom this process claims jobs as. */
  get id(): string {
    const { database } = this.#app.config
    this.#presence ??= presences.open(database, (error) => this.#tellOfFile(error))
    return this.#presence.id
  }

  /** Takes over from processes that died, and tells of jobs that nobody here can run. */
  async tidy(): Promise<void> {
    const { database } = this.#app.config
    for (const by of await jobs.claimants(this.#app.db)) {
      // One that nobody can tell about may live: what it claimed is left to it.
      const isGone = this.#tried(() => by !== this.#presence?.id && presences.isGone(database, by))
      if (isGone) await this.#takeOver(by)
    }
    const waiting = await jobs.waitingNames(this.#app.db)
    for (const name of waiting.filter((name) => !this.#known.includes(name)))
      this.#tell(name, 'jobs wait that this version does not know', { name })
  }

  /** Gives up what is claimed still. */
  async end(): Promise<void> {
    if (!this.#presence) return
    await jobs.giveUp(this.#app.db, this.#presence.id)
    this.#presence.end()
  }

  async #takeOver(by: string): Promise<void> {
    const { db, config, log } = this.#app
    const error = 'The process ended while the job ran.'
    const dead = { by, runs: mostRuns, at: this.#app.now(), error }
    const taken = await db.transaction((tx) => jobs.release(tx, dead))
    this.#tried(() => presences.forget(config.database, by))
    log.warn('taking up the jobs of a process that ended', { jobs: taken })
  }

  /** What cannot be done about the lock file of another process is told, and stepped over. */
  #tried<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      this.#tellOfFile(error)
      return undefined
    }
  }

  #tellOfFile(error: unknown): void {
    this.#tell(String(error), 'a lock file of another process is stepped over', { error })
  }

  /** Once, not at every look. */
  #tell(what: string, message: string, facts: Facts): void {
    if (this.#told.has(what)) return
    this.#told.add(what)
    this.#app.log.warn(message, facts)
  }
}

import { jobs } from '#db/jobs'
import { presences } from '#db/presence'
import type { App } from '../../app.ts'
import type { Presence } from '../../db/presence.ts'
import { mostRuns } from './runs.ts'

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
    this.#presence ??= presences.open(this.#app.config.databasePath)
    return this.#presence.id
  }

  /** Takes over from processes that died, and tells of jobs that nobody here can run. */
  async tidy(): Promise<void> {
    const path = this.#app.config.databasePath
    for (const by of await jobs.claimants(this.#app.db)) {
      if (by !== this.#presence?.id && presences.isGone(path, by)) await this.#takeOver(by)
    }
    const waiting = await jobs.waitingNames(this.#app.db)
    for (const name of waiting.filter((name) => !this.#known.includes(name))) this.#tell(name)
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
    presences.forget(config.databasePath, by)
    log.warn('taking up the jobs of a process that ended', { jobs: taken })
  }

  #tell(name: string): void {
    if (this.#told.has(name)) return
    this.#told.add(name)
    this.#app.log.warn('jobs wait that this version does not know', { name })
  }
}

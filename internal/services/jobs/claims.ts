import { jobs } from '#db/jobs'
import { presences } from '#db/presence'
import { unlessAborted } from '../../base/unless-aborted.ts'
import type { App } from '../../app.ts'
import type { Facts } from '../../base/log.ts'
import type { Claim } from '../../db/jobs.ts'
import type { Presence } from '../../db/presence.ts'
import { mostRuns } from './retry-delays.ts'

/** Manages the job claims of this process, and those of dead ones. */
export class Claims {
  readonly #app: App
  readonly #jobNames: readonly string[]
  readonly #warned = new Set<string>()
  #presence: Presence | undefined
  readonly #ending = new AbortController()
  #takingOver: Promise<void> | undefined

  /** `jobNames`: the names of the jobs that this version runs. */
  constructor(app: App, jobNames: readonly string[]) {
    this.#app = app
    this.#jobNames = jobNames
  }

  /** Returns the presence under which this process claims jobs; a new one after the last was lost. */
  async present(): Promise<Presence> {
    if (this.#presence && !this.#presence.lost.aborted) return this.#presence
    const { database } = this.#app.config
    const presence = await presences.open(database, (error) => this.#warnOfOther(error))
    const lose = () => {
      if (this.#ending.signal.aborted) return
      const error: unknown = presence.lost.reason
      this.#app.log.warn('others take this process for gone, so it gives up its jobs', { error })
    }
    presence.lost.addEventListener('abort', lose, { once: true })
    return (this.#presence = presence)
  }

  /**
   * Releases jobs that this process has claimed but does not run, warns of jobs that nobody here can run, and
   * starts to take over from dead processes. Must not be called while a claim is in progress.
   */
  async tidy(isRunning: (claim: Claim) => boolean): Promise<void> {
    const claims = await jobs.claims(this.#app.db)
    const own = claims.filter(({ by }) => this.#isOwn(by))
    for (const claim of own) if (!isRunning(claim)) await this.#releaseUnused(claim)
    const others = new Set(claims.map(({ by }) => by).filter((by) => !this.#isOwn(by)))
    if (others.size > 0) this.#takingOver ??= this.#takeOverFrom(others)
    const waiting = await jobs.waitingNames(this.#app.db)
    for (const name of waiting.filter((name) => !this.#jobNames.includes(name)))
      this.#warnOnce(name, 'jobs wait that this version does not know', { name })
  }

  /** Releases all remaining claims of this process. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#takingOver
    const presence = this.#presence
    if (!presence || presence.lost.aborted) return
    await jobs.releaseOfStopping(this.#app.db, presence.id)
    await presence.end()
  }

  /** Runs beside polling, which must not wait: to find out whether each process is dead may take seconds. */
  async #takeOverFrom(processIds: ReadonlySet<string>): Promise<void> {
    const { signal } = this.#ending
    try {
      for (const processId of processIds)
        if (await unlessAborted(this.#isGone(processId), signal)) await this.#takeOver(processId)
    } catch (error) {
      if (!signal.aborted) this.#warnOfOther(error)
    } finally {
      this.#takingOver = undefined
    }
  }

  /** A process that cannot be checked counts as alive, and keeps its claims. */
  async #isGone(processId: string): Promise<boolean> {
    if (this.#isOwn(processId)) return false
    return (
      (await this.#attempt(() => presences.isGone(this.#app.config.database, processId))) ?? false
    )
  }

  #isOwn(processId: string): boolean {
    return processId === this.#presence?.id && !this.#presence.lost.aborted
  }

  /**
   * Releases a job whose claim succeeded although its answer was lost. Does nothing if the job's run ended
   * just now.
   */
  async #releaseUnused(claim: Claim): Promise<void> {
    if (await jobs.releaseUnused(this.#app.db, claim))
      this.#app.log.warn('the answer to a claim was lost, so its job is due again', {
        job: claim.id,
      })
  }

  async #takeOver(processId: string): Promise<void> {
    const { db, config, log } = this.#app
    const error = 'The process ended while the job ran.'
    const dead = { by: processId, runs: mostRuns, at: this.#app.now(), error }
    const { released, claims } = await db.transaction(async (tx) => {
      const claims = await jobs.claims(tx)
      tx.afterCommit(() => this.#app.jobSignal.send())
      return { claims, released: await jobs.releaseOfDead(tx, dead) }
    })
    await this.#attempt(() => presences.forget(config.database, processId))
    // Another process has taken over, or it stopped by itself and released its claims, since the claims were read.
    if (released === 0) return
    const failed = claims.filter(({ by, tries }) => by === processId && tries >= mostRuns)
    for (const { id, name, tries } of failed)
      log.error('job failed for good', { job: id, name, tries, error })
    log.warn('taking up the jobs of a process that ended', { jobs: released })
  }

  /** Runs work on another process; an error in checking or cleaning up after it is logged, not thrown. */
  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#warnOfOther(error)
      return undefined
    }
  }

  #warnOfOther(error: unknown): void {
    this.#warnOnce(String(error), 'another process that cannot be looked at is stepped over', {
      error,
    })
  }

  /** Warns once, not at every poll. */
  #warnOnce(key: string, message: string, facts: Facts): void {
    if (this.#warned.has(key)) return
    this.#warned.add(key)
    this.#app.log.warn(message, facts)
  }
}

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { jobs } from '#db/jobs'
import type { App } from '../../app.ts'
import type { Claim, Job } from '../../db/jobs.ts'
import type { Presence } from '../../db/presence.ts'
import { Claims } from './claims.ts'
import { DueNames } from './due-names.ts'
import type { JobName, Work } from './job-names.ts'
import { runOnce, whyFailed } from './run-once.ts'
import { longestDelay, delayAfter } from './retry-delays.ts'
import { Schedule, type Scheduled } from './schedule.ts'
import { JobSlots } from './job-slots.ts'

export interface WorkersOptions {
  readonly work: Partial<Work>
  readonly schedule?: readonly Scheduled[]
  readonly atOnce: number
  /** Milliseconds between polls for jobs that no signal announced. */
  readonly poll?: number
}

/** Runs jobs and pushes scheduled ones until `stop`. */
export function startWorkers(app: App, options: WorkersOptions): Workers {
  return new Workers(app, options)
}

// Milliseconds. Half of what is promised, as a poll may have to wait for its turn.
const usualPoll = 500
// In polls: every two seconds, so that a dead process's jobs are taken over within the promised five seconds.
const tidyEvery = 4

/** A job, and the presence under which this process claimed it. */
interface Claimed {
  readonly job: Job
  readonly presence: Presence
}

/** A claim, and the controller that aborts its run. */
interface Run {
  readonly claim: Claim
  readonly end: AbortController
}

const stopped = new Error('The service stopped.')

class Workers {
  readonly #app: App
  readonly #work: Partial<Work>
  readonly #slots: JobSlots
  readonly #schedule: Schedule
  readonly #claims: Claims
  readonly #dueNames: DueNames
  readonly #pollInterval: number
  readonly #running = new Map<Promise<void>, Run>()
  readonly #endings: (() => void)[]
  #polling: Promise<void> | undefined
  #isPollRequested = false
  #isStopping = false
  #isFailing = false
  #tidyAt = 0

  constructor(app: App, { work, schedule = [], atOnce, poll = usualPoll }: WorkersOptions) {
    this.#app = app
    this.#work = work
    this.#pollInterval = poll
    this.#slots = new JobSlots(work, atOnce)
    this.#schedule = new Schedule(app, schedule)
    this.#claims = new Claims(app, Object.keys(work))
    this.#dueNames = new DueNames(app, Object.keys(work) as JobName[])
    const pollAnew = () => {
      this.#dueNames.invalidate()
      this.#poll()
    }
    // A process timer, which setting the clock does not affect.
    const timer = setInterval(pollAnew, poll).unref()
    this.#endings = [() => clearInterval(timer), app.jobSignal.listen(pollAnew)]
    this.#poll()
  }

  /**
   * Begins no more jobs, and waits for running ones for so many milliseconds; unfinished ones are released,
   * for whichever process is next. Returns whether all finished, and the current poll with them.
   */
  async stop(longest: number): Promise<boolean> {
    this.#isStopping = true
    for (const end of this.#endings) end()
    const late = new AbortController()
    const isFinished = await Promise.race([
      this.#finished().then(() => true),
      pause(longest, false, { signal: late.signal }),
    ])
    late.abort()
    const cut = this.#running.size
    // Before the claims are released: from then on another process may run the jobs.
    for (const { end } of this.#running.values()) end.abort(stopped)
    await this.#claims.end()
    if (cut > 0)
      this.#app.log.warn('stopped before these jobs ended; they run again', { jobs: cut })
    return isFinished
  }

  async #finished(): Promise<void> {
    await this.#polling
    await Promise.all(this.#running.keys())
  }

  /** Polls for jobs, one poll at a time; requests during a poll cause another one after it. */
  #poll(): void {
    this.#isPollRequested = true
    if (!this.#isStopping) this.#polling ??= this.#pollWhileRequested()
  }

  async #pollWhileRequested(): Promise<void> {
    while (this.#isPollRequested && !this.#isStopping) {
      this.#isPollRequested = false
      // One poll serves all requests in this turn of the event loop.
      await nextTurn()
      await this.#pollOnce()
    }
    this.#polling = undefined
  }

  /** Runs each step even if another fails, for instance on a row lock held by a hanging process. */
  async #pollOnce(): Promise<void> {
    const errors = [
      await this.#attempt(() => this.#tidy()),
      await this.#attempt(() => this.#schedule.pushDue()),
      await this.#attempt(() => this.#beginDue()),
    ]
    this.#isFailing = errors.some((error) => error !== undefined)
  }

  /**
   * Runs a step. If the database is locked or gone, the next poll tries again; the error is logged once, not
   * twice a second.
   */
  async #attempt(step: () => Promise<void>): Promise<unknown> {
    if (this.#isStopping) return undefined
    try {
      await step()
      return undefined
    } catch (error) {
      if (!this.#isFailing) this.#app.log.error('looking for jobs failed', { error })
      this.#isFailing = true
      return error
    }
  }

  async #tidy(): Promise<void> {
    if (performance.now() < this.#tidyAt) return
    this.#tidyAt = performance.now() + tidyEvery * this.#pollInterval
    await this.#claims.tidy((claim) => this.#isRunning(claim))
  }

  #isRunning({ id, by, tries }: Claim): boolean {
    return this.#running
      .values()
      .some(({ claim }) => claim.id === id && claim.by === by && claim.tries === tries)
  }

  async #beginDue(): Promise<void> {
    while (!this.#isStopping) {
      const now = this.#app.now()
      const due = { now, beyond: new Date(now.getTime() + longestDelay) }
      const name = await this.#dueNames.first(this.#slots.free, due)
      if (!name) return
      const presence = await this.#claims.present()
      const job = await this.#claim({ name, by: presence.id, ...due })
      if (!job) this.#dueNames.noneDue(name)
      else if (!this.#isStopping) this.#begin(name, { job, presence })
    }
  }

  /** Claims a job. If its answer is lost, the claim may have succeeded: the next poll tidies up. */
  async #claim(claim: Parameters<typeof jobs.claim>[1]): Promise<Job | undefined> {
    try {
      return await jobs.claim(this.#app.db.unsynced, claim)
    } catch (error) {
      this.#tidyAt = 0
      throw error
    }
  }

  #begin(name: JobName, claimed: Claimed): void {
    this.#slots.begin(name)
    const end = new AbortController()
    const { lost } = claimed.presence
    const cut = () => end.abort(lost.reason)
    lost.addEventListener('abort', cut, { once: true })
    const run = this.#run(claimed, end)
    this.#running.set(run, { claim: claimOf(claimed), end })
    const ended = () => {
      lost.removeEventListener('abort', cut)
      this.#slots.end(name)
      this.#running.delete(run)
      this.#poll()
    }
    void run.then(ended)
  }

  async #run(claimed: Claimed, end: AbortController): Promise<void> {
    const { lost } = claimed.presence
    // The presence was lost before the run began.
    if (lost.aborted) return
    const error = await runOnce(this.#app, this.#work, claimed.job, end)
    // The job is released, as if it had not begun.
    if (error === stopped) return
    // The worker takes no other job before this one's end is recorded, or it would run again and again.
    // Nothing is written once the presence is lost: the job may belong to another process by now.
    while (!lost.aborted && !(await this.#tryRecordEnd(claimed, error)) && !this.#isStopping)
      await pause(1000)
  }

  async #tryRecordEnd(claimed: Claimed, error: unknown): Promise<boolean> {
    try {
      await this.#recordEnd(claimed, error)
      return true
    } catch (fault) {
      this.#app.log.error('a job that ran could not be noted down', {
        job: claimed.job.id,
        error: fault,
      })
      return false
    }
  }

  async #recordEnd(claimed: Claimed, error: unknown): Promise<void> {
    const { db, log } = this.#app
    const now = this.#app.now()
    const { job } = claimed
    const claim = claimOf(claimed)
    if (error === undefined) return jobs.finish(db, claim)
    const facts = { job: job.id, name: job.name, tries: job.tries, error }
    const wait = delayAfter(job.tries)
    if (wait === undefined) {
      await jobs.fail(db, { ...claim, at: now, error: whyFailed(error) })
      return log.error('job failed for good', facts)
    }
    const at = new Date(now.getTime() + wait)
    await jobs.runAgain(db, { ...claim, at, error: whyFailed(error) })
    log.warn('job failed', { ...facts, again: at })
  }
}

function claimOf({ job: { id, tries }, presence }: Claimed): Claim {
  return { id, by: presence.id, tries }
}

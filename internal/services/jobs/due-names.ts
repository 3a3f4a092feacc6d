import { jobs } from '#db/jobs'
import type { App } from '../../app.ts'
import type { Due } from '../../db/jobs.ts'
import type { JobName } from './job-names.ts'

/**
 * Caches which kinds of jobs have a due one. While many wait, the next is claimed without this query: a kind
 * is queried again only after a signal or a poll.
 */
export class DueNames {
  readonly #app: App
  readonly #names: readonly JobName[]
  readonly #due = new Set<JobName>()
  #unknown = new Set<JobName>()

  constructor(app: App, names: readonly JobName[]) {
    this.#app = app
    this.#names = names
    this.invalidate()
  }

  /** Invalidates the cache: any kind may have a due job by now. */
  invalidate(): void {
    this.#unknown = new Set(this.#names)
  }

  /** Records that a claim found no due job of this kind. */
  noneDue(name: JobName): void {
    this.#due.delete(name)
  }

  /** Returns the first of these kinds that has a due job, as far as is known. */
  async first(names: readonly JobName[], due: Due): Promise<JobName | undefined> {
    const unknown = names.filter((name) => this.#unknown.has(name))
    if (unknown.length > 0) await this.#ask(unknown, due)
    return names.find((name) => this.#due.has(name))
  }

  async #ask(unknown: readonly JobName[], due: Due): Promise<void> {
    // Before the query: its result may miss a job pushed meanwhile.
    for (const name of unknown) this.#unknown.delete(name)
    try {
      const dueNames = new Set<string>(await jobs.dueNames(this.#app.db, unknown, due))
      for (const name of unknown)
        if (dueNames.has(name)) this.#due.add(name)
        else this.#due.delete(name)
    } catch (error) {
      this.invalidate()
      throw error
    }
  }
}

import { jobs } from '#db/jobs'
import type { App } from '../../app.ts'
import type { Due } from '../../db/jobs.ts'
import type { JobName } from './job-names.ts'

/**
 * Which kinds of jobs have one that is due. Where many wait, each that ends is followed by the next without asking: only
 * a claim that finds none, or a word that there may be some, has a kind asked for again.
 */
export class DueNames {
  readonly #app: App
  readonly #all: readonly JobName[]
  readonly #due = new Set<JobName>()
  #unknown = new Set<JobName>()

  constructor(app: App, all: readonly JobName[]) {
    this.#app = app
    this.#all = all
    this.askAgain()
  }

  /** Any kind may have a job that is due by now. */
  askAgain(): void {
    this.#unknown = new Set(this.#all)
  }

  /** A claim found none. */
  none(name: JobName): void {
    this.#due.delete(name)
  }

  /** The first of these kinds that has one, as far as is known. */
  async first(names: readonly JobName[], due: Due): Promise<JobName | undefined> {
    const asked = names.filter((name) => this.#unknown.has(name))
    if (asked.length > 0) await this.#ask(asked, due)
    return names.find((name) => this.#due.has(name))
  }

  async #ask(asked: readonly JobName[], due: Due): Promise<void> {
    // Before it is known: of what is pushed meanwhile the answer may say nothing.
    for (const name of asked) this.#unknown.delete(name)
    try {
      const found = new Set<string>(await jobs.dueNames(this.#app.db, asked, due))
      for (const name of asked)
        if (found.has(name)) this.#due.add(name)
        else this.#due.delete(name)
    } catch (error) {
      this.askAgain()
      throw error
    }
  }
}

import type { JobName, Resource, Work } from './job-names.ts'

/**
 * Decides which jobs may begin, with so many at once. A kind of job gets at most half of the workers, and
 * jobs of one resource leave one worker to the others. Database jobs run one at a time, beside all others.
 */
export class JobSlots {
  readonly #work: Partial<Work>
  readonly #atOnce: number
  readonly #running: JobName[] = []
  /** All kinds of jobs, the least recently begun first. */
  #order: JobName[]

  constructor(work: Partial<Work>, atOnce: number) {
    this.#work = work
    this.#atOnce = atOnce
    this.#order = Object.keys(work) as JobName[]
  }

  /** The kinds of which another job may begin, the longest waiting first. */
  get free(): JobName[] {
    return this.#order.filter((name) => this.#isFree(name))
  }

  begin(name: JobName): void {
    this.#running.push(name)
    this.#order = [...this.#order.filter((other) => other !== name), name]
  }

  end(name: JobName): void {
    this.#running.splice(this.#running.indexOf(name), 1)
  }

  #isFree(name: JobName): boolean {
    const resource = this.#resourceOf(name)
    const ofResource = this.#running.filter((other) => this.#resourceOf(other) === resource).length
    if (resource === 'database') return ofResource === 0
    const inAll = this.#running.filter((other) => this.#resourceOf(other) !== 'database').length
    const ofSameName = this.#running.filter((other) => other === name).length
    return (
      inAll < this.#atOnce &&
      ofResource < Math.max(1, this.#atOnce - 1) &&
      ofSameName < Math.ceil(this.#atOnce / 2)
    )
  }

  #resourceOf(name: JobName): Resource | undefined {
    return this.#work[name]?.resource
  }
}

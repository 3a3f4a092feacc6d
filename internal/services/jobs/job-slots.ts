import type { JobName, Resource, Work } from './job-names.ts'

/**
 * Which jobs may begin, when so many may run at once. A kind of job has half of the workers at most, and jobs that wait
 * for the same resource leave one worker to the others. Jobs of the database run one at a time, beside all others.
 */
export class JobSlots {
  readonly #work: Partial<Work>
  readonly #atOnce: number
  readonly #running: JobName[] = []
  /** All kinds of jobs: the one whose last job began longest ago comes first. */
  #order: JobName[]

  constructor(work: Partial<Work>, atOnce: number) {
    this.#work = work
    this.#atOnce = atOnce
    this.#order = Object.keys(work) as JobName[]
  }

  /** The kinds of which one more job may begin, the one that has waited longest for its turn first. */
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

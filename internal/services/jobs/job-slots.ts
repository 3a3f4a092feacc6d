import type { JobName, Resource, Work } from './job-names.ts'

/**
 * Who may begin, when so many jobs may run at once. A kind has half of the workers at most, and what waits for
 * the same thing leaves one to the others. The database's own jobs run one at a time, beside all of them.
 */
export class JobSlots {
  readonly #work: Partial<Work>
  readonly #atOnce: number
  readonly #running: JobName[] = []
  /** Those that began a while ago first. */
  #order: JobName[]

  constructor(work: Partial<Work>, atOnce: number) {
    this.#work = work
    this.#atOnce = atOnce
    this.#order = Object.keys(work) as JobName[]
  }

  /** The kinds of which one more may begin, the one that has waited longest for its turn first. */
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
    const ofKind = this.#running.filter((other) => other === name).length
    return (
      inAll < this.#atOnce &&
      ofResource < Math.max(1, this.#atOnce - 1) &&
      ofKind < Math.ceil(this.#atOnce / 2)
    )
  }

  #resourceOf(name: JobName): Resource | undefined {
    return this.#work[name]?.resource
  }
}

/**
 * A process as others see it: there until it says goodbye or dies, however it dies and whatever the clocks say.
 * What it has claimed under its ID is anyone's once it is gone.
 */
export interface Presence {
  /** Given once and to no other process. */
  readonly id: string
  end(): void
}

/** How the processes of one database see each other. `path` is the database. */
export interface Presences {
  open(path: string): Presence
  /** Whether the process with this ID has ended. */
  isGone(path: string, id: string): boolean
  /** Clears away what a process that is gone left behind. */
  forget(path: string, id: string): void
}

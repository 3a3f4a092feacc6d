import type { DatabaseAddress } from '../base/settings/config.ts'

/**
 * A process as others see it: there until it says goodbye or dies, however it dies and whatever the clocks say.
 * What it has claimed under its ID is anyone's once it is gone.
 */
export interface Presence {
  /** Given once and to no other process. */
  readonly id: string
  /** Aborted once others may take the process for gone though it lives: what it has claimed is not its own any more. */
  readonly lost: AbortSignal
  end(): Promise<void>
}

/** How the processes of one database see each other. */
export interface Presences {
  /** Also clears away what processes that are gone left behind; `failed` is called with the error where that fails. */
  open(database: DatabaseAddress, failed: (error: unknown) => void): Promise<Presence>
  /** Whether the process with this ID has ended. Throws, saying what to do, where that cannot be seen. */
  isGone(database: DatabaseAddress, id: string): Promise<boolean>
  /** Clears away what a process that is gone left behind. */
  forget(database: DatabaseAddress, id: string): Promise<void>
}

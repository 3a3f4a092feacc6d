import type { DatabaseAddress } from '../base/settings/config.ts'

/**
 * A process as other processes see it: present until it says goodbye or dies, however it dies and whatever the clocks
 * say. Once it is gone, anyone may take over what it has claimed under its ID.
 */
export interface Presence {
  /** Unique among all processes, past ones included. */
  readonly id: string
  /** Aborted once others may consider the process gone although it is alive: its claims are no longer its own. */
  readonly lost: AbortSignal
  end(): Promise<void>
}

/** How the processes that share a database see each other. */
export interface Presences {
  /** Also cleans up after dead processes; `failed` is called with the error if that fails. */
  open(database: DatabaseAddress, failed: (error: unknown) => void): Promise<Presence>
  /** Whether the process with this ID has ended. Throws with advice if that cannot be determined. */
  isGone(database: DatabaseAddress, id: string): Promise<boolean>
  /** Cleans up after a dead process. */
  forget(database: DatabaseAddress, id: string): Promise<void>
}

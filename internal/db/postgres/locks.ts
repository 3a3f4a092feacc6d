/** The class of our advisory locks, which no other program should take by chance. Each is a class and a number. */
const own = 0x61_70_70

export const lockKeys = {
  /** Shared by all processes that have the database open; a restore has it alone. */
  open: `${own}, 1`,
  /** Held by the process that migrates. */
  migrating: `${own}, 2`,
} as const

/** A statement that ends the connections of those who hold a lock. */
export function endHolders(lock: keyof typeof lockKeys): string {
  const [of, number] = lockKeys[lock].split(', ')
  return `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = ${of} AND objid = ${number}`
}

/** Advisory locks of a database, by a class and a number each, that no other program should take by chance. */
const own = 0x61_70_70

export const lockKeys = {
  /** Shared by all who have it open; a restore has it alone. */
  open: `${own}, 1`,
  /** Of whoever migrates. */
  migrating: `${own}, 2`,
} as const

/** A statement that ends the connections of those who hold it. */
export function endHolders(lock: keyof typeof lockKeys): string {
  const [of, number] = lockKeys[lock].split(', ')
  return `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = ${of} AND objid = ${number}`
}

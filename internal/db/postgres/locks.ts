/** Advisory locks of a database, by a class and a number each, that no other program should take by chance. */
const own = 0x61_70_70

export const lockKeys = {
  /** Shared by all who have it open; a restore has it alone. */
  open: `${own}, 1`,
  /** Of whoever migrates. */
  migrating: `${own}, 2`,
} as const

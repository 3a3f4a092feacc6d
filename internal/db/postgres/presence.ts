import { rowOf } from '../server/answer.ts'
import { randomUUID } from 'node:crypto'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Presence, Presences } from '../presence.ts'
import { serverOf } from './address.ts'
import { keepTalking, longestSilence, patience } from '../server/keep-talking.ts'
import { Connection } from './connection.ts'
import { beginLong } from './connection/limits.ts'

// The lock number of an ID.
const numberOf = 'hashtextextended($1, 0)'

/**
 * A process shows its presence by locking a number of its own, on a connection of its own. The server releases the
 * lock when the connection ends, however the process dies, or is silent for `longestSilence`. The lock is held in a
 * transaction that does nothing else, so that it ends with the process even behind a pooler.
 */
export const presences: Presences = {
  async open(database) {
    const connection = await Connection.open(serverOf(database), { patience })
    const id = randomUUID()
    try {
      await connection.script(beginLong({ silence: `${longestSilence}s` }))
      await connection.ask(`SELECT pg_advisory_xact_lock(${numberOf})`, [id])
      keepTalking(connection)
      return presence(id, connection)
    } catch (error) {
      await connection.end()
      throw error
    }
  },

  async isGone(database, id) {
    return withConnection(database, async (connection) => {
      const lock = rowOf(
        await connection.ask<{ free: boolean }>(
          `SELECT pg_try_advisory_xact_lock(${numberOf}) AS free`,
          [id],
        ),
      )
      return lock.free
    })
  },

  // The server has released the lock by itself.
  forget: async () => {},
}

function presence(id: string, connection: Connection): Presence {
  return { id, lost: connection.lost, end: () => connection.end() }
}

async function withConnection<Result>(
  database: DatabaseAddress,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.open(serverOf(database), { patience })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

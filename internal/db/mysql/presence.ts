import { rowOf } from '../server/answer.ts'
import { randomUUID } from 'node:crypto'
import type { Presence, Presences } from '../presence.ts'
import { serverOf } from './address.ts'
import { keepTalking, longestSilence, patience } from '../server/keep-talking.ts'
import { Connection } from './connection.ts'

/**
 * A process shows its presence by a lock with a name of its own, on a connection of its own. The server releases the
 * lock when the connection ends, however the process dies, or is silent for `longestSilence`.
 */
export const presences: Presences = {
  async open(database) {
    const connection = await Connection.open(serverOf(database), { patience })
    const id = randomUUID()
    try {
      await connection.ask('SELECT GET_LOCK(?, -1) AS held', [id])
      await connection.script('SET SESSION wait_timeout = ?', [longestSilence])
      keepTalking(connection)
      return presence(id, connection)
    } catch (error) {
      await connection.end()
      throw error
    }
  },

  async isGone(database, id) {
    const connection = await Connection.open(serverOf(database), { patience })
    try {
      const lock = rowOf(
        await connection.ask<{ free: boolean }>('SELECT IS_FREE_LOCK(?) AS free', [id]),
      )
      return lock.free
    } finally {
      await connection.end()
    }
  },

  // The server has released the lock by itself.
  forget: async () => {},
}

function presence(id: string, connection: Connection): Presence {
  return { id, lost: connection.lost, end: () => connection.end() }
}

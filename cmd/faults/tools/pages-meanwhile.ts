import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from './client.ts'
import type { Server } from './servers.ts'

/**
 * Requests pages one after the other, as a logged-in user, over existing and new connections, and returns each one's
 * milliseconds.
 */
export async function askOn(server: Server, isOver: () => boolean): Promise<number[]> {
  const took: number[] = []
  const user = new Visitor(server)
  await user.logIn(emailOf(1))
  while (!isOver()) {
    const guest = new Visitor(server)
    took.push(await timed(user, '/dashboard'), await timed(guest, '/login'))
    guest.leave()
    await pause(5)
  }
  user.leave()
  return took
}

async function timed(visitor: Visitor, page: string): Promise<number> {
  const began = performance.now()
  const { status } = await visitor.get(page)
  if (status !== 200) throw new Error(`${page} was answered ${status}.`)
  return performance.now() - began
}

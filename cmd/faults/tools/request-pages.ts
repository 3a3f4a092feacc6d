import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from './client.ts'
import type { Server } from './servers.ts'

/**
 * Requests pages one after the other, as a logged-in user, over existing and new connections, and returns each one's
 * milliseconds.
 */
export async function requestPages(server: Server, isDone: () => boolean): Promise<number[]> {
  const durations: number[] = []
  const user = new Visitor(server)
  await user.logIn(emailOf(1))
  while (!isDone()) {
    const guest = new Visitor(server)
    durations.push(await timePage(user, '/dashboard'), await timePage(guest, '/login'))
    guest.leave()
    await pause(5)
  }
  user.leave()
  return durations
}

async function timePage(visitor: Visitor, page: string): Promise<number> {
  const began = performance.now()
  const { status } = await visitor.get(page)
  if (status !== 200) throw new Error(`${page} was answered ${status}.`)
  return performance.now() - began
}

import type { Lendable } from './pool.ts'

/** Seconds after which the server drops a connection on which nothing is said: its process hangs, or its machine is gone. */
export const longestSilence = 10

// Milliseconds. Who gets no answer for so long takes the connection for lost, before the server may have dropped it.
export const patience = 7000
const between = 2000

interface Talking extends Lendable {
  ask(text: string): Promise<unknown>
}

/** Says something on it again and again until it is lost. */
export function keepTalking(connection: Talking, said = 'SELECT 1'): void {
  let isAsked = false
  const timer = setInterval(async () => {
    if (isAsked) return
    isAsked = true
    // Whether it is lost stands in `lost`.
    await connection.ask(said).catch(() => {})
    isAsked = false
  }, between).unref()
  connection.lost.addEventListener('abort', () => clearInterval(timer), { once: true })
}

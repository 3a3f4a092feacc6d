import type { Lendable } from './pool.ts'

/** Seconds after which the server closes a silent connection: its process hangs, or its machine is gone. */
export const longestSilence = 10

// Milliseconds without an answer after which the process considers the connection lost, before the server closes it.
export const patience = 7000
const between = 2000

interface Talking extends Lendable {
  ask(text: string): Promise<unknown>
}

/** Runs a statement every two seconds until the connection is lost, so that the server does not close it as silent. */
export function keepTalking(connection: Talking, statement = 'SELECT 1'): void {
  let isPending = false
  const timer = setInterval(async () => {
    if (isPending) return
    isPending = true
    // The error is ignored: a lost connection shows in its `lost` signal.
    await connection.ask(statement).catch(() => {})
    isPending = false
  }, between).unref()
  connection.lost.addEventListener('abort', () => clearInterval(timer), { once: true })
}

import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition holds, and returns the milliseconds that took; Infinity if it took too long. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  longest: number,
): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < longest) {
    if (await condition()) return performance.now() - began
    await pause(5)
  }
  return Infinity
}

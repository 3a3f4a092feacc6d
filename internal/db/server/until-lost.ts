import type { Lendable } from './pool.ts'

/** Resolves once the connection is lost, or `ended` is aborted. */
export async function untilLost(connection: Lendable, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([connection.lost, signal])
  if (either.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  either.addEventListener('abort', () => resolve(), { once: true })
  await promise
}

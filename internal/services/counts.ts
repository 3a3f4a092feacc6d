import type { App } from '../app.ts'

/** How often something happened, in this process. */
interface Count {
  readonly total: number
  /** The minute of the last time, in minutes since 1970. */
  readonly minute: number
  readonly inMinute: number
}

const mostNames = 10_000

const ofApps = new WeakMap<App, Map<string, Count>>()

/** Returns how often something was counted in this minute. */
export function countInMinute(app: App, name: string): number {
  return current(app, name).inMinute
}

/** Counts something in this process's memory, and returns its total since the process started. */
export function addToCount(app: App, name: string): number {
  const { total, minute, inMinute } = current(app, name)
  const counts = ofApps.get(app) ?? new Map<string, Count>()
  ofApps.set(app, counts)
  if (counts.size >= mostNames && !counts.has(name)) counts.clear()
  counts.set(name, { total: total + 1, minute, inMinute: inMinute + 1 })
  return total + 1
}

function current(app: App, name: string): Count {
  const minute = Math.floor(app.now().getTime() / 60_000)
  const { total, ...last } = ofApps.get(app)?.get(name) ?? { total: 0, minute, inMinute: 0 }
  return { total, minute, inMinute: last.minute === minute ? last.inMinute : 0 }
}

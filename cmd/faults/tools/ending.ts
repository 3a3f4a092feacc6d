import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Whether a program has ended, or was never started: neither emits further events. */
export function isOver({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

/** Has a program end by a signal, unless it has ended by itself, and returns its exit code: null if a signal ended it. */
export async function end(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number | null> {
  if (!isOver(child)) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

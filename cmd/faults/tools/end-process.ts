import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Whether a program has ended, or was never started: in both cases it emits no further events. */
export function hasExited({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

/** Ends a program by a signal, unless it has ended already, and returns its exit code; null if a signal ended it. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number | null> {
  if (!hasExited(child)) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

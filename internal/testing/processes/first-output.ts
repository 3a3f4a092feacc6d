import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Waits for the first output of a process. Rejects if the process ends without any. */
export async function awaitFirstOutput(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('The output of the process is not read.')
  const output = once(child.stdout, 'data').then(() => true)
  const end = once(child, 'close').then(() => false)
  if (!(await Promise.race([output, end])))
    throw new Error('The process ended without output: its errors are printed above.')
}

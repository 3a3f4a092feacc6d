import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { awaitFirstOutput } from './first-output.ts'

const program = fileURLToPath(new URL('worker-program.ts', import.meta.url))

/**
 * Starts another process that runs this database's jobs, each by adding a line to the file after a few milliseconds, but
 * not while there is a file of that name with a dot and the job's email after it.
 */
export async function workerProcess(
  database: DatabaseAddress,
  file: string,
): Promise<ChildProcess> {
  appendFileSync(file, '')
  const child = spawn(process.execPath, [program, JSON.stringify(database), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await awaitFirstOutput(child)
  return child
}

/** Kills a process, as a power cut would. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Returns the lines added to a file so far. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

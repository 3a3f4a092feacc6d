import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sizesIn, type Manifest } from '../../../internal/services/backup/manifest.ts'
import { newFolder, run, type ExitResult } from '../tools/servers.ts'
import type { DataPlace } from './places.ts'

/** The cost of a command. */
export interface Measurement {
  readonly result: ExitResult
  readonly seconds: number
  /** Its peak private memory, in bytes. */
  readonly memory: number
}

export interface Archive {
  readonly file: string
  readonly size: number
  readonly photos: number
  readonly rows: Readonly<Record<string, number>>
}

// Milliseconds between two readings of its memory.
const interval = 20

/** Runs a command of the service, or of another build of it, on a place's data. */
export async function measureCommand(
  args: readonly string[],
  { settings }: DataPlace,
  executable?: string,
): Promise<Measurement> {
  const began = performance.now()
  let memory = 0
  let timer: NodeJS.Timeout | undefined
  const onStart = (pid: number) => {
    timer = setInterval(() => (memory = Math.max(memory, residentOf(pid))), interval)
  }
  const result = await run(args, { settings, onStart, executable })
  clearInterval(timer)
  return { result, seconds: (performance.now() - began) / 1000, memory }
}

/** Backs up a place into a new file. Throws if that fails. */
export async function makeBackup(
  place: DataPlace,
  executable?: string,
): Promise<{ archive: Archive; measurement: Measurement }> {
  const file = join(newFolder(), 'app.tar')
  const measurement = mustSucceed(await measureCommand(['backup', file], place, executable))
  const text = execFileSync('tar', ['-xOf', file, 'manifest.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text) as Manifest
  const rows = Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]))
  const archive = { file, size: statSync(file).size, photos: sizesIn(manifest).photos, rows }
  return { archive, measurement }
}

/** Restores an archive into a place. Throws if that fails. */
export async function restoreArchive(
  { file }: Archive,
  place: DataPlace,
  executable?: string,
): Promise<Measurement> {
  return mustSucceed(await measureCommand(['restore', file], place, executable))
}

function mustSucceed(measurement: Measurement): Measurement {
  const { code, stderr } = measurement.result
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`)
  return measurement
}

/** Returns the bytes of a process's private memory; 0 once it is gone. */
function residentOf(pid: number): number {
  try {
    const [, kilobytes] =
      /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

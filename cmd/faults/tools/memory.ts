import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { appName } from '../../../web/contract/name.ts'
import { built } from './tested-build.ts'
import { newFolder } from './servers.ts'
import { onCleanUp } from './cleanup.ts'
import type { Server } from './servers.ts'
import { until } from './until.ts'

/** A process's memory after a garbage collection, in bytes. */
export interface Memory {
  /** Its private pages in memory, as the system counts them (RssAnon). */
  readonly resident: number
  /** Objects in use, and their buffers. */
  readonly used: number
}

/** Reads a process's memory repeatedly. */
export interface MemoryReader {
  read(): Promise<Memory>
  close(): void
}

// Options of equal length: the executable accepts none from outside, so in the copy the second ones overwrite the
// first. The port is that of `inspectorUrl`.
const precedingOption = '--disable-proto=delete'
const [replacedOption, inspectOption] = ['--disable-sigusr1', '--inspect=0009229']

/**
 * Returns the path of a copy of the executable that a debugger can inspect; the executable itself does not allow that.
 */
export function inspectable(): string {
  const copy = join(newFolder(), appName)
  const bytes = readFileSync(built)
  const at = bytes.indexOf(replacedOption, bytes.indexOf(precedingOption))
  if (at < 0) throw new Error(`${built} does not start with ${replacedOption}.`)
  bytes.write(inspectOption, at, 'latin1')
  writeFileSync(copy, bytes, { mode: 0o755 })
  return copy
}

const inspectorUrl = 'http://127.0.0.1:9229/json/list'
const longestOpen = 10_000

/** Opens a memory reader for a server that runs an `inspectable` executable. */
export async function openMemoryReader(server: Server): Promise<MemoryReader> {
  const socket = new WebSocket(await inspectorAddress())
  onCleanUp(() => socket.close())
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const ask = makeSender(socket)
  const { result } = (await ask('Runtime.evaluate', { expression: 'process.pid' })) as Evaluated
  if (result.value !== server.pid)
    throw new Error(`Process ${result.value} is inspected already: end it, then try again.`)
  return {
    async read() {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize } = (await ask('Runtime.getHeapUsage')) as Heap
      // The process returns freed pages a moment later.
      await pause(1000)
      return { resident: residentOf(server.pid), used: usedSize + backingStorageSize }
    },
    close: () => socket.close(),
  }
}

interface Evaluated {
  readonly result: { readonly value: number }
}

interface Heap {
  readonly usedSize: number
  readonly backingStorageSize: number
}

async function inspectorAddress(): Promise<string> {
  let address: string | undefined
  const findAddress = async () => {
    const list = await fetch(inspectorUrl).then(
      (answer) => answer.json() as Promise<{ webSocketDebuggerUrl?: string }[]>,
      () => [],
    )
    address = list[0]?.webSocketDebuggerUrl
    return address !== undefined
  }
  await until(findAddress, longestOpen)
  if (address === undefined) throw new Error('The process could not be inspected.')
  return address
}

function makeSender(socket: WebSocket): (method: string, params?: object) => Promise<unknown> {
  const pending = new Map<number, (result: unknown) => void>()
  let lastId = 0
  const closed = new Promise<never>((_, reject) =>
    socket.addEventListener('close', () => reject(new Error('The process is gone.'))),
  )
  // The server also ends at the end, when nobody waits for an answer.
  closed.catch(() => {})
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    pending.get(id)?.(result)
    pending.delete(id)
  })
  return (method, params = {}) => {
    const id = ++lastId
    const answer = new Promise((resolve) => pending.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    return Promise.race([answer, closed])
  }
}

function residentOf(pid: number): number {
  const [, kilobytes] =
    /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

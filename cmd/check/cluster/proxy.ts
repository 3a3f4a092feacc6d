import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

const config = join(import.meta.dirname, '../../app/cluster/haproxy.cfg')
// Milliseconds.
const longestWait = 15_000

export interface Proxy {
  /** Resolves once HAProxy considers every instance up. */
  allUp(): Promise<void>
  /** Makes HAProxy stop, or resume, sending the nth instance, from 0, new requests. */
  set(n: number, state: 'drain' | 'ready'): Promise<void>
  stop(): Promise<void>
}

interface ProxyOptions {
  /** The proxy's own port. */
  readonly port: number
  /** The ports of the three instances. */
  readonly instances: readonly { readonly port: number }[]
}

/** Starts HAProxy with the configuration that the README names. */
export async function startProxy(
  folder: string,
  { port, instances }: ProxyOptions,
): Promise<Proxy> {
  const socket = join(folder, 'haproxy.sock')
  const extraConfig = join(folder, 'told.cfg')
  writeFileSync(extraConfig, `global\n  stats socket ${socket} level admin\n`)
  const addresses = instances.map((instance, n) => [
    `SERVER_${n + 1}`,
    `127.0.0.1:${instance.port}`,
  ])
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', config, '-f', extraConfig], {
    env: { LISTEN: `127.0.0.1:${port}`, ...(Object.fromEntries(addresses) as object) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (part: Buffer) => (stderr += String(part)))
  const ended = once(child, 'exit')
  const endedEarly = ended.then(() => {
    throw new Error(`HAProxy has ended: ${stderr}`)
  })
  endedEarly.catch(() => {})
  return {
    allUp: () => Promise.race([untilAllUp(socket, instances.length), endedEarly]),
    set: async (n, state) => {
      const reply = await sendCommand(socket, `set server servers/server${n + 1} state ${state}`)
      if (reply.trim() !== '') throw new Error(`HAProxy does not ${state} an instance: ${reply}`)
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilAllUp(socket: string, instances: number): Promise<void> {
  const until = performance.now() + longestWait
  for (;;) {
    const stat = await sendCommand(socket, 'show stat').catch(() => '')
    const upCount = stat.split('\n').filter((line) => /^servers,server\d,.*,UP,/.test(line)).length
    if (upCount === instances) return
    if (performance.now() > until)
      throw new Error(
        `HAProxy has ${upCount} of ${instances} instances up after ${longestWait} ms.`,
      )
    await pause(20)
  }
}

/** Sends a command to HAProxy's socket, and returns the reply. */
function sendCommand(socket: string, command: string): Promise<string> {
  const connection = connect(socket)
  connection.end(`${command}\n`)
  return text(connection)
}

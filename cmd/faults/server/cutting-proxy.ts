import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { whenOver } from '../tools/over.ts'

/** A proxy between a server and its database that cuts a connection at a chosen moment. */
export interface CuttingProxy {
  readonly port: number
  /**
   * Cuts the connection that carries the nth message from now on, before the message reaches the database or before
   * its answer returns, and then calls `andThen`.
   */
  cutAt(n: number, when: 'before it arrives' | 'before its answer', andThen?: () => void): void
  /** How many messages have gone to the database. */
  readonly messages: number
  /** Cuts nothing until `cutAt` is called again. Returns whether it has cut since the last call of `cutAt`. */
  rest(): boolean
}

/** Forwards to a port of this machine until the fault is over. */
export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  let [left, isAfter, isCut, messages] = [Infinity, false, false, 0]
  let doBeside = nothing
  const server = createServer((socket) => {
    const database = connect(to, '127.0.0.1')
    for (const end of [socket, database]) open.add(end.on('error', () => {}))
    const cut = () => {
      isCut = true
      doBeside()
      socket.destroy()
      database.destroy()
    }
    socket.on('data', (part) => {
      left -= 1
      messages += 1
      if (left === 0 && !isAfter) return cut()
      // The answer is not forwarded: the connection is cut when it arrives.
      if (left === 0) database.off('data', pass).once('data', cut)
      database.write(part)
    })
    const pass = (part: Buffer) => void socket.write(part)
    database.on('data', pass)
    socket.on('close', () => void (open.delete(socket), database.destroy()))
    database.on('close', () => void (open.delete(database), socket.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenOver(() => {
    for (const end of open) end.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cutAt(n, when, andThen = nothing) {
      doBeside = andThen
      left = n
      isAfter = when === 'before its answer'
      isCut = false
    },
    get messages() {
      return messages
    },
    rest: () => {
      left = Infinity
      return isCut
    },
  }
}

function nothing(): void {}

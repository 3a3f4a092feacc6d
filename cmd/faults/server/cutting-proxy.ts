import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onCleanUp } from '../tools/cleanup.ts'

/** A proxy between a server and its database that cuts a connection at a chosen moment. */
export interface CuttingProxy {
  readonly port: number
  /**
   * Cuts the connection that carries the nth message from now on, before the message reaches the database or before
   * its answer returns, and then calls `afterCut`.
   */
  cutAt(n: number, when: 'before it arrives' | 'before its answer', afterCut?: () => void): void
  /** How many messages have gone to the database. */
  readonly messages: number
  /** Cuts nothing until `cutAt` is called again. Returns whether it has cut since the last call of `cutAt`. */
  stopCutting(): boolean
}

/** Forwards to a port of this machine until the fault is over. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let [messagesLeft, isAfter, isCut, messages] = [Infinity, false, false, 0]
  let onCut = doNothing
  const server = createServer((socket) => {
    const database = connect(targetPort, '127.0.0.1')
    for (const end of [socket, database]) sockets.add(end.on('error', () => {}))
    const cut = () => {
      isCut = true
      onCut()
      socket.destroy()
      database.destroy()
    }
    socket.on('data', (part) => {
      messagesLeft -= 1
      messages += 1
      if (messagesLeft === 0 && !isAfter) return cut()
      // The answer is not forwarded: the connection is cut when it arrives.
      if (messagesLeft === 0) database.off('data', forwardAnswer).once('data', cut)
      database.write(part)
    })
    const forwardAnswer = (part: Buffer) => void socket.write(part)
    database.on('data', forwardAnswer)
    socket.on('close', () => void (sockets.delete(socket), database.destroy()))
    database.on('close', () => void (sockets.delete(database), socket.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onCleanUp(() => {
    for (const end of sockets) end.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cutAt(n, when, afterCut = doNothing) {
      onCut = afterCut
      messagesLeft = n
      isAfter = when === 'before its answer'
      isCut = false
    },
    get messages() {
      return messages
    },
    stopCutting: () => {
      messagesLeft = Infinity
      return isCut
    },
  }
}

function doNothing(): void {}

import { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

// Answers are kept until they are read. No browser sends its next request before the answer to the last.
const mostAhead = 8

// Milliseconds that a stop takes in connections at most, even if more and more come. One turn may take fifty.
const longestTakingIn = 2_000
// Node reads what came over a connection in a turn after the one that took it in.
const quietTurns = 3

/** The connections of a server, and what is still to be answered on them. */
export class Connections {
  readonly #server: Server
  /** Each with when it was taken in, or had its last answer. */
  readonly #sockets = new Map<Socket, number>()
  readonly #running = new Set<ServerResponse>()
  readonly #unanswered = new WeakMap<Socket, number>()
  #taken = 0
  #begun = 0
  #isStopping = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#taken += 1
      this.#sockets.set(socket, performance.now())
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Counts a request until it is answered. */
  count({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#unanswered.set(socket, this.#waitingOn(socket) + 1)
    this.#running.add(response)
    this.#begun += 1
    if (this.#isStopping) response.shouldKeepAlive = false
    response.once('close', () => {
      this.#running.delete(response)
      this.#unanswered.set(socket, this.#waitingOn(socket) - 1)
      if (this.#sockets.has(socket)) this.#sockets.set(socket, performance.now())
    })
  }

  /** Whether a connection is gone, or sends so many requests ahead of their answers that keeping those would fill the memory. */
  isTooFarAhead(socket: Socket): boolean {
    return socket.destroyed || this.#waitingOn(socket) > mostAhead
  }

  /**
   * Takes in no more, answers what has come by now, and resolves when every connection is closed. One that was opened
   * or had its answer less than `patience` ms ago may have a request on its way, and is closed after that.
   */
  async stop(patience: number): Promise<void> {
    // First: a client that is told that its connection ends opens another one, which would be cut off.
    await this.#takeIn()
    const closed = this.#close()
    this.#isStopping = true
    // Not where other requests wait behind this one: they would be cut off with it.
    for (const response of this.#running)
      if (this.#waitingOn(response.req.socket) === 1) response.shouldKeepAlive = false
    // Lets requests begin that came over the connections taken in last, or right after an answer that has gone out.
    await this.#quiet(() => this.#begun)
    await this.#end(closed, patience)
  }

  /** Takes in the connections that wait: Node takes in one a turn, and closing cuts off those that still wait. */
  #takeIn(): Promise<void> {
    return this.#quiet(() => this.#taken)
  }

  /** Waits until a count has stayed as it is for some turns, but for at most `longestTakingIn`. */
  async #quiet(count: () => number): Promise<void> {
    const until = performance.now() + longestTakingIn
    for (let quiet = 0; quiet < quietTurns && performance.now() < until; quiet++) {
      const before = count()
      await nextTurn()
      if (count() !== before) quiet = -1
    }
  }

  #waitingOn(socket: Socket): number {
    return this.#unanswered.get(socket) ?? 0
  }

  #close(): Promise<void> {
    return new Promise((resolve) => {
      // Not the close of HTTP, which takes an answer that is still being sent for one that was.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
  }

  async #end(closed: Promise<void>, patience: number): Promise<void> {
    const isIdle = (socket: Socket) =>
      (this.#sockets.get(socket) ?? 0) <= performance.now() - patience &&
      this.#waitingOn(socket) === 0
    const closeIdle = async () => {
      const idle = [...this.#sockets.keys()].filter(isIdle)
      // On a busy machine the time may be over while a request waits to be read.
      for (let turn = 0; turn < quietTurns; turn++) await nextTurn()
      for (const socket of idle.filter(isIdle)) socket.destroy()
    }
    // A connection kept alive is idle only once the answer it carries has gone out, so look again as they do.
    const closing = setInterval(() => void closeIdle(), 50)
    void closeIdle()
    await closed
    clearInterval(closing)
    this.#server.close()
  }
}

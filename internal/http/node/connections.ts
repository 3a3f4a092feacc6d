import { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

// Answers are buffered until they are read. No browser pipelines requests.
const mostAhead = 8

// Milliseconds that a stop goes on accepting connections, even if more keep coming. One turn may take fifty.
const longestAccepting = 2_000
// Node reads a connection's data in a later turn of the event loop than the one that accepts it.
const quietTurns = 3

// What answers depend on: Node removes its listeners from the connection of a CONNECT.
const events = ['close', 'drain', 'error', 'timeout']
type Listener = (...facts: unknown[]) => void

/** The connections of a server, and their unanswered requests. */
export class Connections {
  readonly #server: Server
  /** When each was accepted, or got its last answer. */
  readonly #sockets = new Map<Socket, number>()
  /** Each unfinished answer, with its connection. */
  readonly #running = new Map<ServerResponse, Socket>()
  readonly #ending = new WeakSet<Socket>()
  readonly #unanswered = new WeakMap<Socket, number>()
  /** The last request of each that was answered before all of its body had arrived. */
  readonly #answeredEarly = new WeakMap<Socket, IncomingMessage>()
  /** Node's own listeners of each. */
  readonly #listeners = new WeakMap<Socket, readonly (readonly [string, Listener])[]>()
  #accepted = 0
  #requests = 0
  #isStopping = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1
      this.#sockets.set(socket, performance.now())
      const on = (event: string) =>
        socket.listeners(event).map((listener) => [event, listener as Listener] as const)
      this.#listeners.set(socket, events.flatMap(on))
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Counts a request until it is answered. */
  count(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    this.#unanswered.set(socket, this.#waitingOn(socket) + 1)
    this.#running.set(response, socket)
    this.#requests += 1
    if (this.#isStopping) response.shouldKeepAlive = false
    response.once('close', () => {
      this.#running.delete(response)
      if (!request.complete) this.#answeredEarly.set(socket, request)
      this.#unanswered.set(socket, this.#waitingOn(socket) - 1)
      if (this.#sockets.has(socket)) this.#sockets.set(socket, performance.now())
    })
  }

  /** Whether the request that is arriving was answered already: each gets one answer only. */
  isAnswered(socket: Socket): boolean {
    return this.#answeredEarly.get(socket)?.complete === false
  }

  /** Whether a connection is gone, or pipelines so many requests that their answers would fill the memory. */
  isTooFarAhead(socket: Socket): boolean {
    return socket.destroyed || this.#waitingOn(socket) > mostAhead
  }

  /**
   * Takes back a connection that Node gave up for a tunnel: earlier answers are still sent over it, and a reset that
   * nobody listens for would crash the process.
   */
  takeBack(socket: Socket): void {
    for (const [event, listener] of this.#listeners.get(socket) ?? []) socket.on(event, listener)
    // A connection that is not read is not known to be gone.
    socket.resume()
  }

  /**
   * Calls `end` to end a connection, after the answers to its earlier requests: answers go out in the order of
   * requests (RFC 9112, 9.3.2). A request whose body has not arrived gets no answer.
   */
  afterAnswers(socket: Socket, end: () => void): void {
    if (this.#ending.has(socket)) return
    const earlier = [...this.#running].filter(
      ([{ req, headersSent }, on]) => on === socket && (req.complete || headersSent),
    )
    const last = earlier.at(-1)?.[0]
    if (!last) return end()
    this.#ending.add(socket)
    // The other end has closed its half: an answer that has begun may be an event stream, which would go on.
    if (socket.readableEnded && earlier.some(([{ headersSent }]) => headersSent)) {
      socket.end()
      return
    }
    last.once('close', end)
  }

  /**
   * Stops accepting, answers what has arrived by now, and resolves once every connection is closed. One
   * opened or answered less than `patience` ms ago may have a request on its way, and is closed after that.
   */
  async stop(patience: number): Promise<void> {
    // First: a client told to close its connection opens another one, which would be cut off.
    await this.#acceptPending()
    const closing = this.#close()
    this.#isStopping = true
    // Not if other requests wait behind this one: they would be cut off with it.
    for (const [response, socket] of this.#running)
      if (this.#waitingOn(socket) === 1) response.shouldKeepAlive = false
    // Lets requests begin on the connections accepted last, or right after an answer was sent.
    await this.#quiet(() => this.#requests)
    await this.#end(closing, patience)
  }

  /** Accepts pending connections: Node accepts one a turn, and closing cuts off those still pending. */
  #acceptPending(): Promise<void> {
    return this.#quiet(() => this.#accepted)
  }

  /** Waits until a count has been stable for some turns, for at most `longestAccepting`. */
  async #quiet(count: () => number): Promise<void> {
    const until = performance.now() + longestAccepting
    for (let quiet = 0; quiet < quietTurns && performance.now() < until; quiet++) {
      const previous = count()
      await nextTurn()
      if (count() !== previous) quiet = -1
    }
  }

  #waitingOn(socket: Socket): number {
    return this.#unanswered.get(socket) ?? 0
  }

  #close(): Promise<void> {
    return new Promise((resolve) => {
      // Not HTTP's own close, which takes an answer still being sent for one already sent.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
  }

  async #end(closing: Promise<void>, patience: number): Promise<void> {
    const isIdle = (socket: Socket) =>
      (this.#sockets.get(socket) ?? 0) <= performance.now() - patience &&
      this.#waitingOn(socket) === 0
    const closeIdle = async () => {
      const idle = [...this.#sockets.keys()].filter(isIdle)
      // On a busy machine, time may run out while a request waits to be read.
      for (let turn = 0; turn < quietTurns; turn++) await nextTurn()
      for (const socket of idle.filter(isIdle)) socket.destroy()
    }
    // A keep-alive connection is idle only once its answer has been sent, so check repeatedly.
    const timer = setInterval(() => void closeIdle(), 50)
    void closeIdle()
    await closing
    clearInterval(timer)
    this.#server.close()
  }
}

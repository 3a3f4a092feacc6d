import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Command, Params, Session } from './web-driver.ts'
import { withTimeout } from '../until.ts'

interface PendingCommand {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Firefox's own protocol, as geckodriver uses it: length-prefixed JSON over TCP. */
export class Marionette implements Session {
  readonly #socket: Socket
  readonly #pending = new Map<number, PendingCommand>()
  #buffer = Buffer.alloc(0)
  #last = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (part: Buffer) => this.#receive(part))
    socket.on('close', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('Firefox has ended.'))
    })
    socket.on('error', () => {})
  }

  /** Throws if nothing listens there yet. */
  static async connectTo(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Marionette(socket)
  }

  send(command: Command, params: Params = {}): Promise<unknown> {
    return this.call(`WebDriver:${command}`, params)
  }

  /** Sends a command that is not part of WebDriver. */
  call(name: string, params: Params): Promise<unknown> {
    const number = ++this.#last
    const text = JSON.stringify([0, number, name, params])
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject })
    })
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`)
    return withTimeout(name, answer)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(part: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, part])
    for (;;) {
      const begin = this.#buffer.indexOf(':') + 1
      const end = begin + Number(this.#buffer.toString('latin1', 0, begin - 1))
      if (begin === 0 || this.#buffer.length < end) return
      const message = JSON.parse(this.#buffer.toString('utf8', begin, end)) as unknown
      this.#buffer = this.#buffer.subarray(end)
      // Skips the first message, in which Firefox introduces itself.
      if (Array.isArray(message)) this.#settle(message)
    }
  }

  #settle([, number, error, result]: unknown[]): void {
    const waiting = this.#pending.get(Number(number))
    this.#pending.delete(Number(number))
    if (error) {
      const { error: code, message } = error as { error: string; message: string }
      waiting?.reject(new Error(`${code}: ${message}`))
      return
    }
    const isValue = typeof result === 'object' && result !== null && 'value' in result
    waiting?.resolve(isValue ? result.value : result)
  }
}

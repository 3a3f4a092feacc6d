import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Command, Params, Session } from './web-driver.ts'
import { inTime } from '../until.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Firefox's own protocol, as geckodriver uses it: length-prefixed JSON over TCP. */
export class Marionette implements Session {
  readonly #socket: Socket
  readonly #waiting = new Map<number, Waiting>()
  #read = Buffer.alloc(0)
  #last = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (part: Buffer) => this.#take(part))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended.'))
    })
    socket.on('error', () => {})
  }

  /** Throws if nothing listens there yet. */
  static async to(port: number): Promise<Marionette> {
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
      this.#waiting.set(number, { resolve, reject })
    })
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`)
    return inTime(name, answer)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(part: Buffer): void {
    this.#read = Buffer.concat([this.#read, part])
    for (;;) {
      const begin = this.#read.indexOf(':') + 1
      const end = begin + Number(this.#read.toString('latin1', 0, begin - 1))
      if (begin === 0 || this.#read.length < end) return
      const message = JSON.parse(this.#read.toString('utf8', begin, end)) as unknown
      this.#read = this.#read.subarray(end)
      // Skips the first message, in which Firefox introduces itself.
      if (Array.isArray(message)) this.#answer(message)
    }
  }

  #answer([, number, error, result]: unknown[]): void {
    const waiting = this.#waiting.get(Number(number))
    this.#waiting.delete(Number(number))
    if (error) {
      const { error: code, message } = error as { error: string; message: string }
      waiting?.reject(new Error(`${code}: ${message}`))
      return
    }
    const isValue = typeof result === 'object' && result !== null && 'value' in result
    waiting?.resolve(isValue ? result.value : result)
  }
}

import { once } from 'node:events'
import { withTimeout } from '../until.ts'
import type { Params } from './web-driver.ts'

interface Message {
  readonly id?: number
  readonly type?: string
  readonly method?: string
  readonly message?: string
  readonly result?: unknown
  readonly params?: unknown
}

/** WebDriver BiDi: carries browser events, and commands that W3C WebDriver lacks. */
export class BiDi {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, (message: Message) => void>()
  #last = 0

  private constructor(socket: WebSocket, onEvent: (method: string, params: unknown) => void) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as Message
      if (message.id === undefined) return onEvent(message.method ?? '', message.params)
      this.#pending.get(message.id)?.(message)
      this.#pending.delete(message.id)
    })
  }

  /** `onEvent` is called with each subscribed event. */
  static async connectTo(
    address: string,
    onEvent: (method: string, params: unknown) => void,
  ): Promise<BiDi> {
    const socket = new WebSocket(address)
    // With a time limit, since `once` may wait for ever if the socket is refused.
    await withTimeout('the WebSocket of Firefox', once(socket, 'open'))
    return new BiDi(socket, onEvent)
  }

  async send(method: string, params: Params): Promise<unknown> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.#pending.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { type, message, result } = await withTimeout(method, promise)
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result
  }

  close(): void {
    this.#socket.close()
  }
}

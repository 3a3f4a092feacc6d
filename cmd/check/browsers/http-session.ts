import { withTimeout } from '../until.ts'
import { type Command, commands, type Params, type Session } from './web-driver.ts'

/** W3C WebDriver over HTTP, to a driver of one browser. */
export class HttpSession implements Session {
  readonly #port: number
  #id = ''

  constructor(port: number) {
    this.#port = port
  }

  async isThere(): Promise<boolean> {
    return (await fetch(`http://127.0.0.1:${this.#port}/status`)).ok
  }

  /** Starts the session, and returns the browser's version. */
  async begin(alwaysMatch: Params): Promise<string> {
    const response = await this.send('NewSession', { capabilities: { alwaysMatch } })
    const { sessionId, capabilities } = response as {
      sessionId: string
      capabilities: { browserVersion: string }
    }
    this.#id = sessionId
    return capabilities.browserVersion
  }

  async send(command: Command, params: Params = {}): Promise<unknown> {
    const [method = '', path = ''] = commands[command].split(' ')
    const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    const session = command === 'NewSession' ? '' : `/session/${this.#id}`
    const request = fetch(`http://127.0.0.1:${this.#port}${session}${filledPath}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(params) }),
    })
    const answer = await withTimeout(command, request)
    const { value } = (await answer.json()) as { value: unknown }
    if (answer.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${error}: ${message}`)
  }
}

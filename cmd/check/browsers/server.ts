import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { paths } from '../../../web/contract/paths.ts'
import { Instance } from '../cluster/instance.ts'
import { mailReader } from '../mail-reader.ts'
import { until } from './until.ts'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The executable, as it serves the browsers. */
export class Server {
  readonly origin: string
  readonly #instance: Instance
  readonly #links = new Map<string, string>()
  readonly #reports: string[] = []

  private constructor(executable: string, settings: Readonly<Record<string, string>>) {
    this.origin = settings['APP_URL'] ?? ''
    const readMail = mailReader(this.#links)
    this.#instance = new Instance(executable, settings, (line) => {
      readMail(line)
      if (line.message.startsWith('blocked by')) this.#reports.push(JSON.stringify(line))
    })
  }

  static async start(executable: string, folder: string): Promise<Server> {
    const home = join(folder, 'server')
    mkdirSync(home)
    const port = await freePort()
    const server = new Server(executable, {
      HOME: home,
      // At `localhost` browsers have passkeys without TLS.
      APP_URL: `http://localhost:${port}`,
      APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
      PORT: String(port),
      FILES_PATH: join(home, 'files'),
      LOG_FORMAT: 'json',
    })
    await server.#instance.start()
    return server
  }

  /** Reports by browsers of what the Content-Security-Policy blocked. */
  reports(): readonly string[] {
    return this.#reports
  }

  /** The link in the last mail to somebody. */
  mailedLink(email: string): Promise<string> {
    return until(`a link is mailed to ${email}`, () => Promise.resolve(this.#links.get(email)))
  }

  /** A person registers and follows the mailed link, in another browser than the one that is checked. */
  async register({ name, email, password }: Person): Promise<void> {
    const form = { name, email, password, password_confirmation: password }
    const answer = await this.#send(paths.register, form)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    const followed = await fetch(await this.mailedLink(email), {
      headers: { Cookie: cookies.join('; ') },
      redirect: 'manual',
    })
    mustLead(followed)
  }

  /** The person logs in in another browser, which causes a notification. */
  async logIn({ email, password }: Person): Promise<void> {
    await this.#send(paths.login, { email, password })
  }

  async stop(): Promise<void> {
    await this.#instance.stop()
  }

  async #send(path: string, form: Readonly<Record<string, string>>): Promise<Response> {
    const answer = await fetch(this.origin + path, {
      method: 'POST',
      headers: { Origin: this.origin, 'User-Agent': 'Somewhere else' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    mustLead(answer)
    return answer
  }
}

function mustLead({ status, url }: Response): void {
  if (status !== 303) throw new Error(`${url} answered ${status}.`)
}

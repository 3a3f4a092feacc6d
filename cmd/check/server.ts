import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../internal/base/program/free-port.ts'
import { paths } from '../../web/contract/paths.ts'
import { Instance, type Settings } from './instance.ts'
import { mailReader } from './mail-reader.ts'
import { until } from './until.ts'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** An executable that serves for a check, without a mail server. */
export class Server {
  readonly origin: string
  readonly #instance: Instance
  readonly #links = new Map<string, string>()
  readonly #reports: string[] = []
  #version = ''

  private constructor(executable: string, settings: Settings) {
    this.origin = settings['APP_URL'] ?? ''
    const readMail = mailReader(this.#links)
    this.#instance = new Instance(executable, settings, (line) => {
      readMail(line)
      if (line.message === 'serving') this.#version = String(line['version'])
      if (line.message.startsWith('blocked by')) this.#reports.push(JSON.stringify(line))
    })
  }

  /** Starts one in a new folder inside `folder`. `extraSettings`: in addition to the required ones. */
  static async start(
    executable: string,
    folder: string,
    extraSettings: Settings = {},
  ): Promise<Server> {
    const home = join(folder, 'server')
    mkdirSync(home)
    const port = await freePort()
    const server = new Server(executable, {
      HOME: home,
      // Browsers support passkeys at `localhost` without TLS.
      APP_URL: `http://localhost:${port}`,
      APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
      PORT: String(port),
      FILES_PATH: join(home, 'files'),
      LOG_FORMAT: 'json',
      ...extraSettings,
    })
    await server.#instance.start()
    return server
  }

  get port(): number {
    return this.#instance.port
  }

  /** The version of the serving build. */
  get version(): string {
    return this.#version
  }

  /** Returns browsers' reports of what the Content-Security-Policy blocked. */
  reports(): readonly string[] {
    return this.#reports
  }

  /** Returns the last link mailed to somebody whose address matches `pattern`, once there is one. */
  mailedLink(email: string, pattern = /./): Promise<string> {
    const link = () => pattern.exec(this.#links.get(email) ?? '')?.input
    return until(`a link is mailed to ${email}`, () => Promise.resolve(link()))
  }

  /** Registers a person and follows the mailed link, in another browser than the checked one. */
  async register({ name, email, password }: Person): Promise<void> {
    const form = { name, email, password, password_confirmation: password }
    const headers = { Cookie: cookiesOf(await this.send(paths['register.store'], form)) }
    const response = await fetch(await this.mailedLink(email), { headers, redirect: 'manual' })
    mustRedirect(response)
  }

  /** Logs the person in in another browser, which causes a notification. */
  async logIn({ email, password }: Person): Promise<void> {
    await this.send(paths['login.store'], { email, password })
  }

  async stop(): Promise<void> {
    await this.#instance.stop()
  }

  /** Submits a form from another browser. Throws unless the answer redirects. */
  async send(path: string, form: Readonly<Record<string, string>>): Promise<Response> {
    const answer = await fetch(this.origin + path, {
      method: 'POST',
      headers: { Origin: this.origin, 'User-Agent': 'Somewhere else' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    mustRedirect(answer)
    return answer
  }
}

/** Returns the cookies that an answer sets, as a Cookie header. */
export function cookiesOf({ headers }: Response): string {
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  return cookies.join('; ')
}

function mustRedirect({ status, url }: Response): void {
  if (status !== 303) throw new Error(`${url} answered ${status}.`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { endProcess } from '../../faults/tools/end-process.ts'
import { BiDi } from './bidi.ts'
import type { Browser, BrowserType, StartOptions, Window } from './browser.ts'
import { Marionette } from './marionette.ts'
import { until } from '../until.ts'
import { WebDriverWindow } from './web-driver.ts'

/** Debian's Firefox, without geckodriver, which only forwards commands: they are sent to Firefox directly here. */
export const firefox: BrowserType = {
  name: 'Firefox',
  programs: { 'firefox-esr': 'firefox-esr' },
  hasPasskeys: true,
  start,
}

async function start({ folder, javaScript }: StartOptions): Promise<Browser> {
  const [port, bidiPort] = [await freePort(), await freePort()]
  const profile = join(folder, 'profile')
  mkdirSync(profile)
  const settings = {
    'marionette.port': port,
    'intl.accept_languages': 'en-GB,en',
    'javascript.enabled': javaScript,
    'security.webauth.webauthn_enable_softtoken': true,
    'security.webauth.webauthn_enable_usbtoken': false,
  }
  const lines = Object.entries(settings).map(
    (pref) => `user_pref(${JSON.stringify(pref).slice(1, -1)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const remoteControl = ['--marionette', `--remote-debugging-port=${bidiPort}`]
  const child = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, ...remoteControl],
    {
      env: { PATH: '/usr/bin:/bin', HOME: folder },
      stdio: 'ignore',
    },
  )
  try {
    return await begin(child, port)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function begin(child: ChildProcess, port: number): Promise<Browser> {
  const marionette = await until('Firefox listens', () => Marionette.connectTo(port))
  const capabilities = { webSocketUrl: true, unhandledPromptBehavior: 'ignore' }
  const session = (await marionette.send('NewSession', capabilities)) as NewSession
  const { browserVersion, webSocketUrl } = session.capabilities
  const browser = new Firefox(child, marionette, browserVersion)
  await browser.listen(webSocketUrl)
  return browser
}

interface NewSession {
  readonly capabilities: { readonly browserVersion: string; readonly webSocketUrl: string }
}

interface LogEntry {
  readonly level: string
  readonly text: string
  readonly stackTrace?: { readonly callFrames: readonly { readonly url: string }[] }
}

class Firefox implements Browser {
  readonly version: string
  readonly #child: ChildProcess
  readonly #marionette: Marionette
  readonly #complaints: string[] = []
  #bidi: BiDi | undefined
  #hasWindow = false

  constructor(child: ChildProcess, marionette: Marionette, version: string) {
    this.#child = child
    this.#marionette = marionette
    this.version = version
  }

  async listen(address: string): Promise<void> {
    this.#bidi = await BiDi.connectTo(address, (method, params) => {
      const { level, text, stackTrace } = params as LogEntry
      const at = stackTrace?.callFrames[0]?.url ?? ''
      if (method === 'log.entryAdded' && ['error', 'warn'].includes(level))
        this.#complaints.push(`${text} ${at}`.trim())
    })
    await this.#bidi.send('session.subscribe', { events: ['log.entryAdded'] })
  }

  complaints(): readonly string[] {
    return this.#complaints
  }

  async newWindow(): Promise<Window> {
    if (!this.#bidi) throw new Error('Firefox is not listened to.')
    const handle = this.#hasWindow
      ? await this.#another()
      : await this.#marionette.send('GetWindowHandle')
    this.#hasWindow = true
    const window = new FirefoxWindow(this.#marionette, this.#bidi, String(handle))
    await window.resize(1280, 800)
    return window
  }

  async close(): Promise<void> {
    this.#bidi?.close()
    this.#marionette.close()
    await endProcess(this.#child)
  }

  async #another(): Promise<string> {
    const response = await this.#marionette.send('NewWindow', { type: 'window', focus: true })
    return (response as { handle: string }).handle
  }
}

class FirefoxWindow extends WebDriverWindow {
  readonly #marionette: Marionette
  readonly #bidi: BiDi

  constructor(marionette: Marionette, bidi: BiDi, handle: string) {
    super(marionette, handle)
    this.#marionette = marionette
    this.#bidi = bidi
  }

  async givePasskeys(): Promise<void> {
    await this.#marionette.call('WebAuthn:AddVirtualAuthenticator', {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserConsenting: true,
      isUserVerified: true,
    })
  }

  async resize(width: number, height: number): Promise<void> {
    const params = { context: this.handle, viewport: { width, height } }
    await this.#bidi.send('browsingContext.setViewport', params)
  }

  async keepPicture(file: string): Promise<void> {
    const picture = await this.send('TakeScreenshot', { full: true, hash: false })
    writeFileSync(file, Buffer.from(String(picture), 'base64'))
  }
}

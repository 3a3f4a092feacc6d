import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { endProcess } from '../../faults/tools/end-process.ts'
import type { Browser, BrowserType, StartOptions, Window } from './browser.ts'
import { HttpSession } from './http-session.ts'
import { withTimeout, until } from '../until.ts'
import { elementIds, type Session, WebDriverWindow } from './web-driver.ts'

const run = promisify(execFile)

const program = join(import.meta.dirname, 'webkit-browser.py')

/** The screen size, as tall as the longest page: screenshots show the screen. */
const screen = '1400x3000x24'
const mostHeight = 2_800

/** WebKitGTK on a virtual screen. It has no passkeys. */
export const webkit: BrowserType = {
  name: 'WebKit',
  programs: {
    WebKitWebDriver: 'webkit2gtk-driver',
    Xvfb: 'xvfb',
    import: 'imagemagick',
    '/usr/lib/python3/dist-packages/gi/__init__.py': 'python3-gi',
    '/usr/lib/*/girepository-1.0/WebKit2-4.1.typelib': 'gir1.2-webkit2-4.1',
  },
  hasPasskeys: false,
  start,
}

async function start({ folder, javaScript }: StartOptions): Promise<Browser> {
  const { child: screenProcess, display } = await startScreen()
  const home = join(folder, 'home')
  mkdirSync(home)
  const env = { PATH: '/usr/bin:/bin', HOME: home, DISPLAY: display, LANG: 'C.UTF-8' }
  const port = await freePort()
  const child = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...env, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    stdio: 'ignore',
  })
  const children = [child, screenProcess]
  const session = new HttpSession(port)
  const console = join(folder, 'console')
  // Over plain HTTP WebKit caches even pages with `no-store`. Our script prevents that, if it runs.
  const restrictions = javaScript ? [] : ['--no-scripts', '--no-page-cache']
  const args = ['--automation', '--console', console, ...restrictions]
  try {
    await until('WebKitWebDriver listens', () => session.isThere())
    const version = await session.begin({
      unhandledPromptBehavior: 'ignore',
      'webkitgtk:browserOptions': { binary: program, args },
    })
    return new WebKit({ session, version, console, display, children })
  } catch (error) {
    for (const child of children) child.kill('SIGKILL')
    throw error
  }
}

async function startScreen(): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp'], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const named = once(child.stdio[3] as Readable, 'data') as Promise<[Buffer]>
  const [number] = await withTimeout('Xvfb names its display', named).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return { child, display: `:${String(number).trim()}` }
}

interface LaunchedBrowser {
  readonly session: HttpSession
  readonly version: string
  /** The file to which the browser writes its consoles. */
  readonly console: string
  readonly display: string
  readonly children: readonly ChildProcess[]
}

class WebKit implements Browser {
  readonly version: string
  readonly #launched: LaunchedBrowser
  #hasWindow = false

  constructor(launched: LaunchedBrowser) {
    this.#launched = launched
    this.version = launched.version
  }

  complaints(): readonly string[] {
    const { console } = this.#launched
    if (!existsSync(console)) return []
    return readFileSync(console, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('page:'))
  }

  async newWindow(): Promise<Window> {
    const { session, display } = this.#launched
    const handle = this.#hasWindow ? await this.#another() : await session.send('GetWindowHandle')
    this.#hasWindow = true
    const window = new WebKitWindow(session, String(handle), display)
    await window.resize(1280, 800)
    return window
  }

  async close(): Promise<void> {
    const { session, children } = this.#launched
    // The browser ends with the session or, if that fails, with its screen.
    await session.send('DeleteSession').catch(() => {})
    for (const child of children) await endProcess(child)
  }

  async #another(): Promise<string> {
    const response = await this.#launched.session.send('NewWindow', { type: 'window' })
    return (response as { handle: string }).handle
  }
}

class WebKitWindow extends WebDriverWindow {
  readonly #display: string

  constructor(session: Session, handle: string, display: string) {
    super(session, handle)
    this.#display = display
  }

  givePasskeys(): Promise<void> {
    throw new Error('WebKitGTK has no passkeys.')
  }

  /** Queries the page, since the driver considers a heading hidden that is truncated after some lines. */
  protected override async visibleElements(xpath: string): Promise<readonly string[]> {
    const script = `
      const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE)
      return Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at))
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))`
    return elementIds(await this.send('ExecuteScript', { script, args: [xpath] }))
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('SetWindowRect', { x: 0, y: 0, width, height })
    const hasSize = `innerWidth === ${width} && innerHeight === ${height}`
    await until(hasSize, () => this.evaluate<boolean>(hasSize))
  }

  /** Takes a screenshot of the screen, since the driver's own sometimes hang. */
  async keepPicture(file: string): Promise<void> {
    const [width, height, pageHeight] = await this.evaluate<readonly [number, number, number]>(
      '[innerWidth, innerHeight, document.documentElement.scrollHeight]',
    )
    const fullHeight = Math.min(Math.max(pageHeight, height), mostHeight)
    await this.resize(width, fullHeight)
    // The browser does not report when it has painted.
    await pause(300)
    const env = { PATH: '/usr/bin:/bin', DISPLAY: this.#display }
    const crop = ['-window', 'root', '-crop', `${width}x${fullHeight}+0+0`, '+repage']
    await run('import', [...crop, file], { env, timeout: 30_000 })
    await this.resize(width, height)
  }
}

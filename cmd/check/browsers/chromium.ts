import type { Browser as Chromium, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../../../internal/testing/chromium/start-chromium.ts'
import { VirtualPasskeys } from '../../../internal/testing/chromium/virtual-passkeys.ts'
import type { Browser, Key, BrowserType, StartOptions, Window } from './browser.ts'

/** Expected console messages on correct answers: a failed form, a change of language, an ended login. */
const ordinary = /status of (409|422)|status of 401 .*\/broadcasts/

/** The Chromium that npm installs, driven by its DevTools protocol. */
export const chromium: BrowserType = {
  name: 'Chromium',
  programs: {},
  hasPasskeys: true,
  start: async ({ javaScript }: StartOptions): Promise<Browser> => {
    const browser = await startChromium()
    const context = await browser.newContext({
      javaScriptEnabled: javaScript,
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
    })
    return new ChromiumBrowser(browser, context)
  },
}

class ChromiumBrowser implements Browser {
  readonly version: string
  readonly #browser: Chromium
  readonly #context: BrowserContext
  readonly #complaints: string[] = []

  constructor(browser: Chromium, context: BrowserContext) {
    this.#browser = browser
    this.#context = context
    this.version = browser.version()
    context.on('console', (message) => {
      const text = `${message.text()} ${message.location().url}`
      if (['error', 'warning'].includes(message.type()) && !ordinary.test(text))
        this.#complaints.push(text)
    })
    context.on('weberror', (error) => void this.#complaints.push(String(error.error())))
  }

  complaints(): readonly string[] {
    return this.#complaints
  }

  async newWindow(): Promise<Window> {
    return new ChromiumWindow(await this.#context.newPage())
  }

  close(): Promise<void> {
    return this.#browser.close()
  }
}

class ChromiumWindow implements Window {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async load(address: string): Promise<void> {
    await this.#page.goto(address)
  }

  address(): Promise<string> {
    return Promise.resolve(this.#page.url())
  }

  async back(): Promise<void> {
    await this.#page.goBack()
  }

  async forward(): Promise<void> {
    await this.#page.goForward()
  }

  texts(xpath: string): Promise<readonly string[]> {
    return this.#at(xpath).allInnerTexts()
  }

  value(xpath: string): Promise<string> {
    return this.#at(xpath).first().inputValue()
  }

  click(xpath: string): Promise<void> {
    return this.#at(xpath).first().click()
  }

  async fill(xpath: string, text: string): Promise<void> {
    const field = this.#at(xpath).first()
    await field.clear()
    await field.pressSequentially(text)
  }

  choose(xpath: string, file: string): Promise<void> {
    return this.#page.locator(`xpath=${xpath}`).setInputFiles(file)
  }

  press(key: Key): Promise<void> {
    return this.#page.keyboard.press(key)
  }

  evaluate<Result>(expression: string): Promise<Result> {
    return this.#page.evaluate<Result>(expression)
  }

  async givePasskeys(): Promise<void> {
    await VirtualPasskeys.of(this.#page)
  }

  resize(width: number, height: number): Promise<void> {
    return this.#page.setViewportSize({ width, height })
  }

  async keepPicture(file: string): Promise<void> {
    await this.#page.screenshot({ path: file, fullPage: true })
  }

  #at(xpath: string) {
    return this.#page.locator(`xpath=${xpath}`).locator('visible=true')
  }
}

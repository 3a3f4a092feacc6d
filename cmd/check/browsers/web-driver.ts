import type { Key, Window } from './browser.ts'
import { until } from '../until.ts'

/** The W3C WebDriver commands used here, by name, each with its method and path over HTTP. */
// oxfmt-ignore
export const commands = {
  NewSession:         'POST /session',
  DeleteSession:      'DELETE ',
  Navigate:           'POST /url',
  GetCurrentURL:      'GET /url',
  Back:               'POST /back',
  Forward:            'POST /forward',
  NewWindow:          'POST /window/new',
  GetWindowHandle:    'GET /window',
  SwitchToWindow:     'POST /window',
  SetWindowRect:      'POST /window/rect',
  FindElements:       'POST /elements',
  IsElementDisplayed: 'GET /element/{id}/displayed',
  GetElementText:     'GET /element/{id}/text',
  GetElementProperty: 'GET /element/{id}/property/{name}',
  ElementClick:       'POST /element/{id}/click',
  ElementClear:       'POST /element/{id}/clear',
  ElementSendKeys:    'POST /element/{id}/value',
  PerformActions:     'POST /actions',
  ExecuteScript:      'POST /execute/sync',
  TakeScreenshot:     'GET /screenshot',
} as const

export type Command = keyof typeof commands
export type Params = Readonly<Record<string, unknown>>

/** Sends commands to a browser. */
export interface Session {
  send(command: Command, params?: Params): Promise<unknown>
}

/** The key that identifies an element in WebDriver's JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

const keyCodes: Readonly<Record<Key, string>> = {
  ArrowRight: '\uE014',
  Enter: '\uE007',
  Escape: '\uE00C',
  '+': '+',
}

/**
 * A window driven by W3C WebDriver. A session is in one window at a time, so each command first switches to its
 * window.
 */
export abstract class WebDriverWindow implements Window {
  protected readonly handle: string
  readonly #session: Session

  constructor(session: Session, handle: string) {
    this.#session = session
    this.handle = handle
  }

  abstract givePasskeys(): Promise<void>
  abstract resize(width: number, height: number): Promise<void>
  abstract keepPicture(file: string): Promise<void>

  async load(address: string): Promise<void> {
    await this.send('Navigate', { url: address })
  }

  async address(): Promise<string> {
    return String(await this.send('GetCurrentURL'))
  }

  async back(): Promise<void> {
    await this.send('Back')
  }

  async forward(): Promise<void> {
    await this.send('Forward')
  }

  texts(xpath: string): Promise<readonly string[]> {
    // Retried: reading fails for an element that is being replaced.
    return until(`${xpath} can be read`, async () => {
      const texts: string[] = []
      for (const id of await this.visibleElements(xpath))
        texts.push(String(await this.send('GetElementText', { id })))
      return texts
    })
  }

  value(xpath: string): Promise<string> {
    return this.#with(xpath, async (id) =>
      String(await this.send('GetElementProperty', { id, name: 'value' })),
    )
  }

  async click(xpath: string): Promise<void> {
    await this.#with(xpath, (id) => this.send('ElementClick', { id }))
  }

  fill(xpath: string, text: string): Promise<void> {
    return this.#with(xpath, async (id) => {
      if (await this.send('GetElementProperty', { id, name: 'value' }))
        await this.send('ElementClear', { id })
      await this.send('ElementSendKeys', { id, text })
    })
  }

  async choose(xpath: string, file: string): Promise<void> {
    // Including hidden ones: a file field may be hidden behind a button.
    const [id] = await this.#all(xpath)
    await this.send('ElementSendKeys', { id, text: file })
  }

  async press(key: Key): Promise<void> {
    const value = keyCodes[key]
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }))
    await this.send('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  async evaluate<Result>(expression: string): Promise<Result> {
    const script = `return (${expression})`
    return (await this.send('ExecuteScript', { script, args: [] })) as Result
  }

  protected async send(command: Command, params: Params = {}): Promise<unknown> {
    await this.#session.send('SwitchToWindow', { handle: this.handle })
    return this.#session.send(command, params)
  }

  /** Finds the visible elements. */
  protected async visibleElements(xpath: string): Promise<readonly string[]> {
    const visible: string[] = []
    for (const id of await this.#all(xpath))
      if (await this.send('IsElementDisplayed', { id })) visible.push(id)
    return visible
  }

  async #all(xpath: string): Promise<readonly string[]> {
    return elementIds(await this.send('FindElements', { using: 'xpath', value: xpath }))
  }

  /** Runs `work` with the first visible element; retries if it is being replaced, or covered for a moment. */
  async #with<Result>(xpath: string, work: (id: string) => Promise<Result>): Promise<Result> {
    const { result } = await until(xpath, async () => {
      const [id] = await this.visibleElements(xpath)
      return id === undefined ? undefined : { result: await work(id) }
    })
    return result
  }
}

/** Returns the IDs of the elements in an answer. */
export function elementIds(answer: unknown): readonly string[] {
  return (answer as Readonly<Record<string, string>>[]).map(({ [elementKey]: id = '' }) => id)
}

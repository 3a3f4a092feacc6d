import type { Browser, Window } from './browser.ts'
import { heading, field, button } from './xpaths.ts'
import type { Person, Server } from '../server.ts'
import { until } from '../until.ts'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { labels } from '#words/labels'
import { paths } from '../../../web/contract/paths.ts'

/** A path through the pages to check, in a fresh browser. */
export interface Flow {
  readonly name: string
  readonly withoutScript?: boolean
  /** If set, the flow is only for browsers that support passkeys, or only for those that do not. */
  readonly passkeys?: boolean
  run(visit: Visit): Promise<void>
}

interface VisitOptions {
  readonly browser: Browser
  readonly server: Server
  /** The person's email, which no other flow uses. */
  readonly email: string
  /** The prefix of its screenshots' paths. */
  readonly pictures: string
  readonly hasScript: boolean
}

/** A person at a browser window. */
export class Visit {
  readonly window: Window
  readonly server: Server
  readonly person: Person
  readonly #options: VisitOptions

  private constructor(window: Window, options: VisitOptions) {
    this.window = window
    this.server = options.server
    this.#options = options
    this.person = { name: 'Ann Example', email: options.email, password: 'a few words in a row' }
  }

  static async begin(options: VisitOptions): Promise<Visit> {
    return new Visit(await options.browser.newWindow(), options)
  }

  /** Opens another window of the same browser for the same person. */
  openWindow(): Promise<Visit> {
    return Visit.begin(this.#options)
  }

  /** Loads a page, and waits until its script has started. */
  async goTo(path: string): Promise<void> {
    await this.window.load(this.server.origin + path)
    await this.hasStarted()
  }

  async hasStarted(): Promise<void> {
    await this.sees(this.#options.hasScript ? '//html[@data-started]' : '//main')
  }

  async sees(xpath: string): Promise<void> {
    await until(`${xpath} is shown`, async () => (await this.window.texts(xpath)).length > 0)
  }

  async misses(xpath: string): Promise<void> {
    await until(`${xpath} is not shown`, async () => (await this.window.texts(xpath)).length === 0)
  }

  async isAt(path: string): Promise<void> {
    await until(`the address is ${path}`, async () => {
      const { pathname, search } = new URL(await this.window.address())
      return pathname + search === path
    })
  }

  /** Waits until an expression is true in the page. */
  async finds(expression: string): Promise<void> {
    await until(expression, () => this.window.evaluate<boolean>(`Boolean(${expression})`))
  }

  /** Waits until the field or button with an ID has the focus. */
  hasFocus(id: string): Promise<void> {
    return this.finds(`document.activeElement.id === ${JSON.stringify(id)}`)
  }

  async fillIn(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(values)) await this.window.fill(field(label), value)
  }

  /** Registers the person in another browser, and logs in here, which leads to the dashboard. */
  async registerAndLogIn(): Promise<void> {
    await this.server.register(this.person)
    await this.goTo(paths.login)
    await this.logIn()
    await this.sees(heading(dashboard.heading(this.person.name)))
  }

  /** Logs in on the login page. */
  async logIn(password = this.person.password): Promise<void> {
    await this.fillIn({ [labels.email]: this.person.email, [labels.password]: password })
    await this.window.click(button(buttons.logIn))
  }

  /** Saves a screenshot of the current page. */
  async keep(name: string): Promise<void> {
    await this.window.keepPicture(`${this.#options.pictures}-${name}.png`)
  }

  /** Saves screenshots of the current page at its width and at a phone's. */
  async keepBoth(name: string): Promise<void> {
    await this.keep(name)
    await this.window.resize(375, 800)
    await this.keep(`${name}-narrow`)
    await this.window.resize(1280, 800)
  }
}

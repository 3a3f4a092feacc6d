/** A kind of browser; each start gives one that nobody has used yet. */
export interface BrowserType {
  readonly name: string
  /** Programs or files that must be installed, each with its Debian package. */
  readonly programs: Readonly<Record<string, string>>
  readonly hasPasskeys: boolean
  start(options: StartOptions): Promise<Browser>
}

export interface StartOptions {
  /** For the browser's files; deleted at the end of the check. */
  readonly folder: string
  /** Whether the pages' scripts run. */
  readonly javaScript: boolean
}

/** A running browser; its windows share cookies. */
export interface Browser {
  readonly version: string
  /** Returns errors and warnings from its pages' consoles. */
  complaints(): readonly string[]
  newWindow(): Promise<Window>
  close(): Promise<void>
}

/**
 * A window of a browser, with everything that flows need of it. An `xpath` stands for the first visible element that
 * matches it. An action that is not yet possible is retried for a while; then its error is thrown.
 */
export interface Window {
  /** Navigates to an address as if it were typed into the address bar. */
  load(address: string): Promise<void>
  address(): Promise<string>
  back(): Promise<void>
  forward(): Promise<void>
  /** Returns the texts of the visible elements that match an XPath. */
  texts(xpath: string): Promise<readonly string[]>
  /** Returns a field's value. */
  value(xpath: string): Promise<string>
  click(xpath: string): Promise<void>
  /** Types into a field, replacing its value. */
  fill(xpath: string, text: string): Promise<void>
  /** Chooses a file in a file field. */
  choose(xpath: string, file: string): Promise<void>
  press(key: Key): Promise<void>
  /** Returns the value of an expression in the page. Only with JavaScript. */
  evaluate<Result>(expression: string): Promise<Result>
  /** Adds an authenticator that answers passkey requests as if a person touched it at once. */
  givePasskeys(): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Saves a screenshot of the whole page. */
  keepPicture(file: string): Promise<void>
}

export type Key = 'ArrowRight' | 'Enter' | 'Escape' | '+'

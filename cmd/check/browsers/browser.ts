/** Each start gives a browser of this type that nobody has used yet. */
export interface BrowserType {
  readonly name: string
  /** Programs or files that have to be on the machine, each with its Debian package. */
  readonly programs: Readonly<Record<string, string>>
  readonly hasPasskeys: boolean
  start(options: StartOptions): Promise<Browser>
}

export interface StartOptions {
  /** For the browser's files; deleted when the check ends. */
  readonly folder: string
  /** Whether scripts of pages run. */
  readonly javaScript: boolean
}

/** A browser that runs; its windows share their cookies. */
export interface Browser {
  readonly version: string
  /** Errors and warnings of the consoles of its pages. */
  complaints(): readonly string[]
  newWindow(): Promise<Window>
  close(): Promise<void>
}

/**
 * A window of a browser, with all that flows need of it. An `xpath` stands for the first visible element that it finds.
 * An action that is not possible yet is tried again for a while; then its error is thrown.
 */
export interface Window {
  /** Goes to an address as if it were typed into the bar. */
  load(address: string): Promise<void>
  address(): Promise<string>
  back(): Promise<void>
  forward(): Promise<void>
  /** The texts of the visible elements that an XPath finds. */
  texts(xpath: string): Promise<readonly string[]>
  /** What a field holds. */
  value(xpath: string): Promise<string>
  click(xpath: string): Promise<void>
  /** Types into a field, in place of what is there. */
  fill(xpath: string, text: string): Promise<void>
  /** Chooses a file in a field for files. */
  choose(xpath: string, file: string): Promise<void>
  press(key: Key): Promise<void>
  /** The value of an expression in the page. Only where scripts run. */
  evaluate<Result>(expression: string): Promise<Result>
  /** Adds an authenticator that answers requests for passkeys as if a person touched it at once. */
  givePasskeys(): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Keeps a picture of the whole page. */
  keepPicture(file: string): Promise<void>
}

export type Key = 'ArrowRight' | 'Enter' | 'Escape' | '+'

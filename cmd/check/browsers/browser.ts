/** A kind of browser. Each start gives one that nobody has used yet. */
export interface Kind {
  readonly name: string
  /** What has to be on the machine, and the package of Debian that brings it. */
  readonly programs: Readonly<Record<string, string>>
  readonly hasPasskeys: boolean
  start(how: Start): Promise<Browser>
}

export interface Start {
  /** For what it keeps; deleted as the check ends. */
  readonly folder: string
  /** Whether scripts of pages run. */
  readonly javaScript: boolean
}

/** One that runs, with cookies that all of its windows share. */
export interface Browser {
  readonly version: string
  /** What its consoles told of errors, and warnings. */
  complaints(): readonly string[]
  newWindow(): Promise<Window>
  close(): Promise<void>
}

/**
 * A window of a browser, and all that the flows ask of one. A place is an XPath; the first element there that is shown is
 * meant. What cannot be done yet is tried again for a while, and then thrown.
 */
export interface Window {
  /** Goes to an address as if it were typed into the bar. */
  load(address: string): Promise<void>
  address(): Promise<string>
  back(): Promise<void>
  forward(): Promise<void>
  /** The texts of the elements there that are shown. */
  texts(place: string): Promise<readonly string[]>
  /** What a field holds. */
  value(place: string): Promise<string>
  click(place: string): Promise<void>
  /** Types into a field, in place of what is there. */
  fill(place: string, text: string): Promise<void>
  /** Chooses a file in a field for files. */
  choose(place: string, file: string): Promise<void>
  press(key: Key): Promise<void>
  /** What an expression gives in the page. Only where scripts run. */
  evaluate<Result>(expression: string): Promise<Result>
  /** Has an authenticator, which a person touches at once, answer what is asked of passkeys. */
  givePasskeys(): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Keeps a picture of the whole page. */
  keepPicture(file: string): Promise<void>
}

export type Key = 'ArrowRight' | 'Enter' | 'Escape' | '+'

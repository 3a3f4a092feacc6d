/** A file of the pages, as it is sent. Its name contains a hash of its content, so it never changes. */
export interface Asset {
  readonly type: string
  readonly etag: string
  /** The content by Content-Encoding; `br` and `gzip` only where they are smaller. */
  readonly identity: Uint8Array
  readonly br?: Uint8Array
  readonly gzip?: Uint8Array
}

/** The scripts of the pages in one language. */
export interface Scripts {
  /** A hash of what is served in this language: it differs by build and by language. */
  readonly version: string
  /** Path of the browser's entry module. */
  readonly entry: string
  /** Paths of the modules that a page needs besides the entry, to be preloaded with it. */
  modules(component: string): readonly string[]
}

/** The pages as the build made them. */
export interface Assets {
  /** A hash of all that is served. */
  readonly version: string
  /** Path of the stylesheet of every page. */
  readonly style: string
  /** Path of the icon that browsers show in a tab. */
  readonly icon: string
  /** Path of the preview picture for links to a page in that language. */
  picture(language: string): string
  /** Throws for a language that the build lacks. */
  scripts(language: string): Scripts
  /** Path of another stylesheet of `web/styles/`, by its name there. */
  sheet(name: string): string
  /** Returns the asset at a path such as `/assets/app-1a2b3c4d.js`, or undefined. */
  find(path: string): Asset | undefined
}

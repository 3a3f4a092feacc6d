/** A file of the pages, as it is sent. Its name carries a hash of its content, so it never changes. */
export interface Asset {
  readonly type: string
  readonly etag: string
  /** The content by Content-Encoding; `br` and `gzip` only where they are smaller. */
  readonly identity: Uint8Array
  readonly br?: Uint8Array
  readonly gzip?: Uint8Array
}

/** The pages as the build made them. */
export interface Assets {
  /** A hash of what is served: another one is another build. */
  readonly version: string
  /** Path of the stylesheet of every page. */
  readonly style: string
  /** Path of the icon that browsers show in a tab. */
  readonly icon: string
  /** Path of the picture that goes with a link to the site. */
  readonly picture: string
  /** Path of the browser's entry module. */
  readonly entry: string
  /** Path of a further stylesheet of `web/styles/`, by its name there. */
  sheet(name: string): string
  /** Paths of the modules that a page needs beside the entry, to be preloaded with it. */
  modules(component: string): readonly string[]
  /** The asset at a path such as `/assets/app-1a2b3c4d.js`, or undefined. */
  find(path: string): Asset | undefined
}

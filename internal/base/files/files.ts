import type { Readable } from 'node:stream'

/** A part of a file, in bytes; both ends belong to it. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface StoredFile {
  /** Bytes. */
  readonly size: number
  readonly modified: Date
  /** The content, or a part of it; opened when it is called. Once `signal` comes nothing more is waited for. */
  read(range?: Range, signal?: AbortSignal): Readable
}

/** Where files are kept: a folder or a bucket. A key is of our own making: letters, digits, dashes, dots and slashes. */
export interface Files {
  /** Throws, saying what to do, when no file can be kept as things are. */
  check(): Promise<void>
  /** Keeps a file; resolves once it is safe. */
  put(key: string, file: { content: Uint8Array; type: string }): Promise<void>
  /** undefined when there is none. */
  open(key: string): Promise<StoredFile | undefined>
  /** Also when there is none. Once `signal` comes it asks for nothing more. */
  delete(key: string, signal?: AbortSignal): Promise<void>
  /**
   * Where a browser fetches the file by itself, until the end of the day after `now` (UTC) and the same all day, or
   * undefined: it is served by us.
   */
  link(key: string, now: Date): Promise<string | undefined>
}

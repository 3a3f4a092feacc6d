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
  /** Opens the file and reads it, or a part of it. Once `signal` aborts, nothing more is waited for. */
  read(range?: Range, signal?: AbortSignal): Readable
}

/** Where files are kept: a folder or a bucket. A key is of our own making: letters, digits, dashes, dots and slashes. */
export interface Files {
  /** Throws, saying what to do, when no file can be kept as things are. */
  check(): Promise<void>
  /** Keeps a file; resolves once it is safe. Once `signal` aborts, its reason is thrown where that was waited for. */
  put(key: string, file: { content: Uint8Array; type: string }, signal?: AbortSignal): Promise<void>
  /** undefined when there is none. Once `signal` aborts, its reason is thrown where that was waited for. */
  open(key: string, signal?: AbortSignal): Promise<StoredFile | undefined>
  /** Resolves also when there is no such file. Once `signal` aborts, nothing more is asked for. */
  delete(key: string, signal?: AbortSignal): Promise<void>
  /**
   * A link by which a browser fetches the file from its place itself, good until the end of the day after `now` (UTC)
   * and the same all day; undefined: this app serves the file.
   */
  link(key: string, now: Date): Promise<string | undefined>
}

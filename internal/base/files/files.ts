import type { Readable } from 'node:stream'

/** A part of a file in bytes, both ends included. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface StoredFile {
  /** Bytes. */
  readonly size: number
  readonly modified: Date
  /** Opens the file and reads it, or a part of it. A bucket's read fails once `signal` aborts. */
  read(range?: Range, signal?: AbortSignal): Readable
}

/**
 * Where files are kept: a folder or a bucket. Keys are our own: letters, digits, dashes, dots and slashes.
 */
export interface Files {
  /** Throws, saying what to do, if no file can be stored at present, or a missing one not told from a refused one. */
  check(): Promise<void>
  /** Stores a file; resolves once it is safe. A bucket throws the reason of `signal` once it aborts. */
  put(key: string, file: { content: Uint8Array; type: string }, signal?: AbortSignal): Promise<void>
  /** Returns undefined if there is none. A bucket throws the reason of `signal` once it aborts. */
  open(key: string, signal?: AbortSignal): Promise<StoredFile | undefined>
  /** Resolves also if there is no such file. Starts nothing more once `signal` aborts. */
  delete(key: string, signal?: AbortSignal): Promise<void>
  /**
   * Returns a link by which a browser fetches the file directly from a bucket, valid until the end of the day
   * after `now` (UTC) and the same all day; undefined if this app serves the file.
   */
  link(key: string, now: Date): Promise<string | undefined>
}

import type { RanMigration } from '../../db/migrate.ts'

/** What a backup says of itself, in the last of its files. */
export interface Manifest {
  /** Of the archive; another one is not read. */
  readonly format: 1
  readonly app: string
  readonly version: string
  /** When the database was copied; ISO 8601. */
  readonly madeAt: string
  readonly migrations: readonly RanMigration[]
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>
  /** Every other file of the archive. */
  readonly files: readonly Summed[]
  /** The photos that accounts have and whose files were gone. */
  readonly missing: readonly string[]
}

/** A file of an archive. */
export interface Summed {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The names of its files. Before the key of a photo stands the folder `files/`. */
export const manifestName = 'manifest.json'
export const databaseName = 'database.sqlite'
export const filesFolder = 'files/'

/** undefined for a text that is no manifest of the app. */
export function readManifest(text: string, app: string): Manifest | undefined {
  const read = parsed(text)
  if (read?.app !== app || read.format !== 1) return undefined
  const isWhole =
    isText(read.version) &&
    isText(read.madeAt) &&
    !Number.isNaN(Date.parse(read.madeAt)) &&
    isListOf(read.migrations, ({ name, hash }) => isText(name) && isText(hash)) &&
    isObject(read.rows) &&
    Object.values(read.rows).every(Number.isSafeInteger) &&
    isListOf(read.files, isSummed) &&
    Array.isArray(read.missing) &&
    read.missing.every(isText)
  return isWhole ? (read as unknown as Manifest) : undefined
}

type Read = Readonly<Record<string, unknown>>

function parsed(text: string): Read | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isSummed({ name, size, sha256 }: Read): boolean {
  return isText(name) && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(String(sha256))
}

function isListOf(list: unknown, is: (item: Read) => boolean): boolean {
  return Array.isArray(list) && list.every((item) => isObject(item) && is(item))
}

function isObject(value: unknown): value is Read {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

import { sha256 } from '../../base/crypto/random.ts'
import { columnTypes, type Table } from '../../db/snapshot.ts'

/** The description of a backup, in its last file. */
export interface Manifest {
  /** The format of the archive; others are not read. */
  readonly format: 2
  readonly app: string
  readonly version: string
  /** When the rows were read; ISO 8601. */
  readonly madeAt: string
  /** The applied migrations, by name; `ranAt` in ISO 8601. */
  readonly migrations: readonly { readonly name: string; readonly ranAt: string }[]
  /** In the order of their files. */
  readonly tables: readonly CountedTable[]
  /** All other files of the archive. */
  readonly files: readonly Summed[]
  /** The photos of accounts whose files were gone. */
  readonly missing: readonly string[]
}

export interface CountedTable extends Table {
  readonly rows: number
}

/** A file of an archive. */
export interface Summed {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The manifest's file, and the folder prefixed to a photo's key. */
export const manifestName = 'manifest.json'
export const filesFolder = 'files/'

/** Returns the file of a table's rows. */
export function rowsName(table: string): string {
  return `tables/${table}.jsonl`
}

/** Returns the table whose rows a file holds; undefined for any other file. */
export function tableOf(name: string): string | undefined {
  return /^tables\/(.+)\.jsonl$/s.exec(name)?.[1]
}

export function accountsIn({ tables }: Manifest): number {
  return tables.find(({ name }) => name === 'users')?.rows ?? 0
}

/** Counts the photos in a backup, and the bytes of photos and rows. */
export function sizesIn({ files }: Manifest) {
  const photos = files.filter(({ name }) => name.startsWith(filesFolder))
  const rows = files.filter(({ name }) => tableOf(name) !== undefined)
  return { photos: photos.length, photoBytes: bytesOf(photos), rowBytes: bytesOf(rows) }
}

function bytesOf(files: readonly Summed[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** Returns the name of the app in a manifest; undefined if there is none. */
export function appOf(text: string): string | undefined {
  const app = parsed(text)?.['app']
  return isText(app) ? app : undefined
}

/** Serialises a manifest, with a SHA-256 of the text before it at the end. */
export function writeManifest(manifest: Manifest): string {
  const text = JSON.stringify(manifest)
  return `${text.slice(0, -1)},"sha256":"${sumOf(text)}"}`
}

/** Whether a manifest is unchanged since it was written. Earlier versions wrote no SHA-256 into it. */
export function isIntact(text: string): boolean {
  const [end, sum] = /,"sha256":"([^"]*)"\}$/.exec(text) ?? []
  return end === undefined || sumOf(`${text.slice(0, -end.length)}}`) === sum
}

function sumOf(text: string): string {
  return sha256(text).toString('hex')
}

/** Parses a manifest of the app; undefined if it is none, `earlier` if it is of the previous format. */
export function readManifest(text: string, app: string): Manifest | 'earlier' | undefined {
  const fields = parsed(text)
  if (fields?.app !== app) return undefined
  if (fields.format === 1) return 'earlier'
  const isWhole =
    fields.format === 2 &&
    isText(fields.version) &&
    isTime(fields.madeAt) &&
    isListOf(fields.migrations, ({ name, ranAt }) => isText(name) && isTime(ranAt)) &&
    isListOf(fields.tables, isTable) &&
    isListOf(fields.files, isSummed) &&
    Array.isArray(fields.missing) &&
    fields.missing.every(isText)
  return isWhole ? (fields as unknown as Manifest) : undefined
}

type Fields = Readonly<Record<string, unknown>>

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isTable({ name, columns, lastId, rows }: Fields): boolean {
  return (
    isText(name) &&
    isObject(columns) &&
    Object.values(columns).every((type) => columnTypes.some((columnType) => columnType === type)) &&
    isCount(lastId) &&
    isCount(rows)
  )
}

function isSummed({ name, size, sha256 }: Fields): boolean {
  return isText(name) && isCount(size) && /^[0-9a-f]{64}$/.test(String(sha256))
}

function isListOf(list: unknown, isItem: (item: Fields) => boolean): boolean {
  return Array.isArray(list) && list.every((item) => isObject(item) && isItem(item))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

// Nothing around it: `Date.parse` ignores what is in parentheses, which may drive a terminal.
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isTime(value: unknown): boolean {
  return isText(value) && time.test(value) && !Number.isNaN(Date.parse(value))
}

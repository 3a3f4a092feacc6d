import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { messageOf } from '../../base/error-message.ts'
import { errorCode } from '../../base/error-code.ts'
import { appName } from '../../../web/contract/name.ts'
import { readArchive, type Entry } from '../../base/program/archive.ts'
import { escapeControls } from '../../base/text/escape.ts'
import { readPast } from './read-past.ts'
import { isPhotoKey, largestKept } from '../../base/photo.ts'
import {
  filesFolder,
  manifestName,
  appOf,
  isIntact,
  readManifest,
  rowsName,
  tableOf,
  type Manifest,
  type Summed,
} from './manifest.ts'
import { LineCount } from './rows.ts'

/** Callbacks for the files of a backup as they are read; without them, the files are only checked. */
interface Use {
  /** Must read the content to its end. All rows come before the first photo. */
  rows?(this: void, table: string, content: AsyncIterable<Uint8Array>): Promise<void>
  photo?(this: void, key: string, content: Buffer): Promise<void>
}

/**
 * Reads a whole backup, and returns its manifest. Throws, saying why, if the file is no backup, is incomplete
 * or was changed: then what `use` received must not be trusted. Errors of `use` are rethrown unchanged.
 */
export async function readBackup(file: string, use: Use, signal: AbortSignal): Promise<Manifest> {
  await refuseUnreadable(file)
  const ofUse: unknown[] = []
  const noteError = (error: unknown) => {
    ofUse.push(error)
    throw error
  }
  const { rows: receiveRows } = use
  const rows: Use['rows'] = receiveRows && ((...args) => receiveRows(...args).catch(noteError))
  const photo: Use['photo'] = async (...args) => use.photo?.(...args).catch(noteError)
  try {
    return await readEntries(file, { rows, photo }, signal)
  } catch (error) {
    signal.throwIfAborted()
    const code = errorCode(error)
    if (error instanceof EarlierFormat) throw new Error(earlier(file), { cause: error })
    // An error of the destination of rows or photos is not the backup's.
    if (ofUse.includes(error) || (code !== '' && code !== 'ERR_INVALID_ARG_VALUE')) throw error
    // The message may contain a name that somebody else put into the archive.
    const reason = escapeControls(messageOf(error).replace(/\.$/, ''))
    throw new Error(`${file} is no whole backup of ${appName}: ${reason}. Take another one.`, {
      cause: error,
    })
  }
}

class EarlierFormat extends Error {
  override readonly name = 'EarlierFormat'
}

function earlier(file: string): string {
  return `${file} is of an earlier version, which kept the database in it as a file. Unpack it with tar, stop the server, move the database away with its log if one is beside it, put that file in its place and what is in its folder files in the folder of the photos, and start the server.`
}

/**
 * Throws unless the path is a readable, uncompressed file. A pipe or a device is never opened: it may have no
 * end, and cannot be read twice.
 */
export async function refuseUnreadable(file: string): Promise<void> {
  let isFile: boolean
  try {
    isFile = (await stat(file)).isFile()
    await access(file, constants.R_OK)
  } catch (cause) {
    const code = errorCode(cause)
    const message =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There is no file ${file}.`
        : `The file ${file} cannot be read: let this user read it and its folder.`
    throw new Error(message, { cause })
  }
  if (!isFile) throw new Error(`${file} is no file: name an archive that backup wrote.`)
  if (await isCompressed(file))
    throw new Error(
      `${file} is compressed, which no backup is: unpack it with gunzip, and name the file that comes of it.`,
    )
}

/** Whether it begins with gzip's magic number (RFC 1952), which no name in an archive does. */
async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.readUInt16BE() === 0x1f_8b
  } finally {
    await handle.close()
  }
}

type ArchivedFile = Summed & { readonly lines?: number }

async function readEntries(file: string, use: Use, signal: AbortSignal): Promise<Manifest> {
  const files = new Map<string, ArchivedFile>()
  let manifest: Manifest | undefined
  let strange: string | undefined
  for await (const entry of readArchive(file, signal)) {
    const { name } = entry
    if (manifest || files.has(name)) throw new Error(`it holds ${name} out of place`)
    if (name === manifestName) manifest = await manifestIn(entry, files)
    else {
      const archivedFile = await used(entry, use)
      if (!archivedFile) strange ??= name
      else files.set(name, archivedFile)
    }
  }
  // Thrown only now: such a file is valid in a backup of an earlier format, which its manifest tells.
  if (strange !== undefined) throw new Error(`it holds ${strange}`)
  if (!manifest) throw new Error('it holds no manifest')
  compare(files, manifest)
  return manifest
}

// Bytes that a manifest may have: in all, plus some for each file and for each row, whose photo it may list
// as missing.
const ofAll = 1024 * 1024
const ofEach = 512

/** Reads the manifest. It comes last, so the number of files and rows seen bounds how much of it is read. */
async function manifestIn(
  entry: Entry,
  files: ReadonlyMap<string, ArchivedFile>,
): Promise<Manifest> {
  const rows = [...files.values()].reduce((sum, { lines = 0 }) => sum + lines, 0)
  const text = (await readToBuffer(entry, ofAll + ofEach * (files.size + rows))).toString()
  if (!isIntact(text))
    throw new Error(`${manifestName} is not what it was when the backup was made`)
  const manifest = readManifest(text, appName)
  if (manifest === 'earlier') throw new EarlierFormat()
  if (!manifest) throw new Error(whyNone(appOf(text)))
  return manifest
}

function whyNone(app: string | undefined): string {
  if (app === undefined || app === appName)
    return 'its manifest is of something else, or of a later version'
  return `it is one of ${app}, and a build of that name takes it`
}

/** Passes a file to `use`; undefined for a file that belongs in no backup, which is skipped. */
async function used({ name, content }: Entry, use: Use): Promise<ArchivedFile | undefined> {
  const table = tableOf(name)
  const key = name.startsWith(filesFolder) ? name.slice(filesFolder.length) : ''
  const sum = new Sum()
  if (table !== undefined) {
    const lines = new LineCount()
    const counted = lines.through(sum.through(content))
    await (use.rows ? use.rows(table, counted) : readPast(counted))
    return { name, ...sum.end(), lines: lines.count }
  }
  if (!isPhotoKey(key)) {
    await readPast(sum.through(content))
    return undefined
  }
  const photo = await readToBuffer({ name, content: sum.through(content) }, largestKept)
  await use.photo?.(key, photo)
  return { name, ...sum.end() }
}

async function readToBuffer(
  { name, content }: Pick<Entry, 'name' | 'content'>,
  most: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw new Error(`it holds ${name}, which is too large`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function compare(filesFound: ReadonlyMap<string, ArchivedFile>, { files, tables }: Manifest): void {
  for (const { name, size, sha256 } of files) {
    const file = filesFound.get(name)
    if (!file) throw new Error(`${name} is missing in it`)
    if (file.size !== size || file.sha256 !== sha256)
      throw new Error(`${name} is not what it was when the backup was made`)
  }
  const listed = new Set(files.map(({ name }) => name))
  const extra = [...filesFound.keys()].find((name) => !listed.has(name))
  if (extra !== undefined) throw new Error(`it holds ${extra}, which its manifest does not name`)
  for (const { name, rows } of tables)
    if (filesFound.get(rowsName(name))?.lines !== rows)
      throw new Error(`it has not the ${rows} rows of ${name} that its manifest tells of`)
  const counted = new Set(tables.map(({ name }) => rowsName(name)))
  const unexpected = files.find(({ name }) => tableOf(name) !== undefined && !counted.has(name))
  if (unexpected) throw new Error(`it holds ${unexpected.name}, which is of no table`)
  if (!counted.has(rowsName('users'))) throw new Error('it holds no accounts')
}

/** Computes the size and the SHA-256 of the bytes that pass through. */
export class Sum {
  readonly #hash = createHash('sha256')
  #size = 0

  async *through(content: Entry['content']): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#hash.update(chunk)
      this.#size += chunk.length
      yield chunk
    }
  }

  end(): { size: number; sha256: string } {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}

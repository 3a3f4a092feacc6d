import { createHash } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { appName } from '../../../web/contract/name.ts'
import { readArchive, type Entry } from '../../base/program/archive.ts'
import { escapeControls } from '../../base/escape.ts'
import { isPhotoKey } from '../../base/photo.ts'
import { largestPhoto } from '../../../web/contract/limits.ts'
import {
  databaseName,
  filesFolder,
  manifestName,
  readManifest,
  type Manifest,
  type Summed,
} from './manifest.ts'

/** What is done with the files of a backup as they are read; without it they are only checked. */
interface Use {
  /** Where the database is written, a file that is not there yet. */
  readonly database?: string
  photo?(key: string, content: Buffer): Promise<void>
}

/**
 * Reads a backup from its first byte to its last, and returns its manifest. Throws, saying why, for a file that is
 * none, is not whole, or has been changed: what was used of it until then is not to be trusted.
 */
export async function readBackup(file: string, use: Use, signal: AbortSignal): Promise<Manifest> {
  await refuseUnreadable(file)
  let ofPhotos: unknown
  const photo: Use['photo'] = async (key, content) =>
    use.photo?.(key, content).catch((error: unknown) => {
      ofPhotos = error
      throw error
    })
  try {
    return await read(file, { ...use, photo }, signal)
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = error as NodeJS.ErrnoException
    // What the place of the photos did not take is no fault of the backup.
    if (error === ofPhotos || (code !== undefined && code !== 'ERR_INVALID_ARG_VALUE')) throw error
    // It may name what somebody else put into the archive.
    const why = escapeControls(message.replace(/\.$/, ''))
    throw new Error(`${file} is no whole backup of ${appName}: ${why}. Take another one.`, {
      cause: error,
    })
  }
}

/** A pipe or a device is never opened: it may have no end, and nothing in it is read twice. */
export async function refuseUnreadable(file: string): Promise<void> {
  let isFile: boolean
  try {
    isFile = (await stat(file)).isFile()
    await access(file, constants.R_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There is no file ${file}.`
        : `The file ${file} cannot be read: let this user read it and its folder.`
    throw new Error(message, { cause })
  }
  if (!isFile) throw new Error(`${file} is no file: name an archive that backup wrote.`)
}

async function read(file: string, use: Use, signal: AbortSignal): Promise<Manifest> {
  const found = new Map<string, Summed>()
  let manifest: Manifest | undefined
  for await (const entry of readArchive(file, signal)) {
    const { name } = entry
    if (manifest || found.has(name)) throw new Error(`it holds ${name} out of place`)
    if (name === manifestName) manifest = await manifestIn(entry)
    else found.set(name, await used(entry, use, signal))
  }
  if (!manifest) throw new Error('it holds no manifest')
  compare(found, manifest)
  return manifest
}

const largestManifest = 256 * 1024 * 1024

async function manifestIn({ content }: Entry): Promise<Manifest> {
  const text = (await wholeOf(content, largestManifest)).toString()
  const manifest = readManifest(text, appName)
  if (!manifest) throw new Error('its manifest is of something else, or of a later version')
  return manifest
}

async function used(entry: Entry, use: Use, signal: AbortSignal): Promise<Summed> {
  const { name } = entry
  const key = name.startsWith(filesFolder) ? name.slice(filesFolder.length) : ''
  if (name !== databaseName && !isPhotoKey(key)) throw new Error(`it holds ${name}`)
  const sum = new Sum()
  const content = sum.through(entry.content)
  if (key !== '') {
    const photo = await wholeOf(content, largestPhoto)
    await use.photo?.(key, photo)
  } else if (use.database === undefined) await readPast(content)
  else await write(use.database, content, signal)
  return { name, ...sum.end() }
}

/** A name by its own path is never written to: the one file that is has a name of ours. */
async function write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), {
    signal,
  })
}

async function readPast(content: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = content[Symbol.asyncIterator]()
  while (!(await chunks.next()).done);
}

async function wholeOf(content: Entry['content'], most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) throw new Error('it holds a file that is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function compare(found: ReadonlyMap<string, Summed>, { files }: Manifest): void {
  for (const { name, size, sha256 } of files) {
    const file = found.get(name)
    if (!file) throw new Error(`${name} is missing in it`)
    if (file.size !== size || file.sha256 !== sha256)
      throw new Error(`${name} is not what it was when the backup was made`)
  }
  const known = new Set(files.map(({ name }) => name))
  const extra = [...found.keys()].find((name) => !known.has(name))
  if (extra !== undefined) throw new Error(`it holds ${extra}, which its manifest does not name`)
  if (!known.has(databaseName)) throw new Error('it holds no database')
}

/** Counts and sums up what goes through it. */
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

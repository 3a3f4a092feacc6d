import { constants, createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { photoFolder } from '../photo.ts'
import { syncFolder } from '../program/durable.ts'
import { leaveOwner, type SetOwner } from '../program/owner.ts'
import type { Files, Range } from './files.ts'

/** Keeps files in a folder, an absolute path, made when needed. `setOwner` is called for all that is made. */
export function localFiles(folder: string, setOwner: SetOwner = leaveOwner): Files {
  const statIfThere = (path: string) =>
    stat(path).catch((error: unknown) => absent(folder, path, error))
  return {
    async check() {
      const photos = join(folder, photoFolder)
      // The folder in it may be another user's, such as root's who has copied the files there.
      const target = (await isThere(photos)) ? photos : folder
      const probe = join(target, 'check.part')
      const work = async () => {
        await makeFolder(target, setOwner)
        await write(probe, new Uint8Array(), setOwner)
        await rm(probe, { force: true })
      }
      await work().catch((cause: unknown) => {
        throw notStored(target, cause)
      })
    },
    async put(key, { content }) {
      const path = pathOf(folder, key)
      await writeDurably(path, content, setOwner).catch((cause: unknown) => {
        throw notStored(folder, cause)
      })
    },
    async open(key) {
      const path = pathOf(folder, key)
      const stats = await statIfThere(path)
      if (!stats?.isFile()) return undefined
      const read = (range?: Range) =>
        createReadStream(path, range && { start: range.from, end: range.to })
      return { size: stats.size, modified: stats.mtime, read }
    },
    async delete(key, signal) {
      signal?.throwIfAborted()
      const path = pathOf(folder, key)
      // If the disk is away, the file is still on it, and must not count as deleted.
      if (!(await statIfThere(dirname(path)))) throw missing(folder, dirname(path))
      await rm(path, { force: true })
      // Left by a process that ended while writing.
      await rm(partPath(path), { force: true })
      await syncFolder(dirname(path))
    },
    link: async () => undefined,
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

const ours = /^[a-z0-9]+(?:[/.-][a-z0-9]+)*$/

/** Returns the path of a key. Throws for a key that is not our own, which might lead out of the folder. */
function pathOf(folder: string, key: string): string {
  if (!ours.test(key)) throw new Error(`This is no key of a file: ${JSON.stringify(key)}`)
  return join(folder, key)
}

/** Returns where a file is written until it is whole. */
function partPath(path: string): string {
  return `${path}.part`
}

async function writeDurably(path: string, content: Uint8Array, setOwner: SetOwner): Promise<void> {
  const changed = await makeFolder(dirname(path), setOwner)
  try {
    await write(partPath(path), content, setOwner)
    await rename(partPath(path), path)
  } catch (error) {
    // A failure to remove the part must not hide why the write failed.
    await rm(partPath(path), { force: true }).catch(() => {})
    throw error
  }
  for (const parent of changed) await syncFolder(parent)
}

function notStored(folder: string, cause: unknown): Error {
  if (isNoFolder(cause)) return noFolder(folder, cause)
  const isFull = /^(ENOSPC|EDQUOT)$/.test(errorCode(cause))
  const advice = isFull ? ', whose disk is full: make room on it' : ': let this user write there'
  return new Error(
    `No file could be kept in ${folder}${advice}, or set FILES_PATH to another folder.`,
    { cause },
  )
}

/** Returns whether a file, or a dangling link, stands where a folder has to be. */
function isNoFolder(error: unknown): boolean {
  return /^(ENOTDIR|EEXIST)$/.test(errorCode(error))
}

function noFolder(folder: string, cause: unknown): Error {
  return new Error(
    `${folder} is no folder, and none can be made there: move away what stands in its place, or set FILES_PATH to another folder.`,
    { cause },
  )
}

function missing(folder: string, missingFolder: string): Error {
  return new Error(
    `${missingFolder} is not there, so no file of it is deleted: bring back the disk that ${folder} was on, or set FILES_PATH to where the files are.`,
  )
}

/**
 * Makes a folder. Returns the folders with a new entry: itself, and those above it as far as they were made.
 */
async function makeFolder(folder: string, setOwner: SetOwner): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return [folder]
  const madeFolders = [folder]
  for (let at = folder; at !== first; at = dirname(at)) madeFolders.push(dirname(at))
  for (const path of madeFolders) await setOwner(path)
  return [...madeFolders, dirname(first)]
}

// Not through a link, which the server's user may have put there to a root file. Windows lacks the flag.
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
const writing = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW

async function write(path: string, content: Uint8Array, setOwner: SetOwner): Promise<void> {
  const file = await open(path, writing, 0o600)
  try {
    await file.writeFile(content)
    await setOwner(path)
    await file.sync()
  } finally {
    // A failure to close loses nothing once all is on disk; before, it must not hide why the write failed.
    await file.close().catch(() => {})
  }
}

function absent(folder: string, path: string, error: unknown): undefined {
  if (isNoFolder(error)) throw noFolder(folder, error)
  if (/^(EACCES|EPERM)$/.test(errorCode(error))) throw noAccess(dirname(path), error)
  if (errorCode(error) !== 'ENOENT') throw error
}

function noAccess(folder: string, cause: unknown): Error {
  return new Error(
    `${folder} cannot be looked into: let this user open it and the folders above it, or set FILES_PATH to another folder.`,
    { cause },
  )
}

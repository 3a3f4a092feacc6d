import { existsSync, lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { addresses } from '#db/address'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Where a backup is to be written. */
export interface Destination {
  readonly database: DatabaseAddress
  readonly file: string
  /** Whether to replace a file of this name. */
  readonly force: boolean
}

/**
 * Returns the file that a backup makes or replaces: if a link has the name, the one that it leads to. Throws if that
 * must not be replaced, or the link leads to no file.
 */
export function destinationOf(destination: Destination): string {
  refuseTaken(destination)
  const { file } = destination
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file
  if (existsSync(file)) return realpathSync(file)
  // Its disk may be away: a file made in its folder would not be where backups are kept.
  const target = resolve(dirname(file), readlinkSync(file))
  throw new Error(
    `${file} is a link to ${target}, which is not there: bring that back, such as by mounting its disk, or name another file.`,
  )
}

/** Throws if the name belongs to the database, to a folder or a device, or without `force` to another file. */
export function refuseTaken({ file, force, database }: Destination): void {
  const existing = statSync(file, { throwIfNoEntry: false })
  if (addresses.filesOf(database).some((path) => path === file || isSame(existing, path)))
    throw new Error(`${file} is the database's own: name another file.`)
  if (!existing) return
  if (existing.isDirectory())
    throw new Error(`${file} is a folder: name a file in it, such as ${join(file, 'app.tar')}.`)
  if (!existing.isFile())
    throw new Error(`${file} is no file that could be replaced: name another one.`)
  if (!force) throw new Error(`There is a file ${file} already: name another one, or add --force.`)
}

function isSame(existing: Stats | undefined, path: string): boolean {
  const candidate = existing && statSync(path, { throwIfNoEntry: false })
  return (
    candidate !== undefined && candidate.dev === existing?.dev && candidate.ino === existing.ino
  )
}

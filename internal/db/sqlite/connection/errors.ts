import { existsSync, readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '../../../base/error-message.ts'
import { errorCode } from '../../../base/error-code.ts'
import { appName } from '../../../../web/contract/name.ts'
import { DatabaseBusy } from '../../db.ts'
import { unwritable } from '../file/unwritable.ts'

export function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY')
}

/** Whether the disk failed. */
export function isOfDisk(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_IOERR')
}

/** Whether an fsync failed: earlier writes may be lost. */
export function isLostSync(error: unknown): boolean {
  return /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(errorCode(error))
}

export function busy(cause: unknown): DatabaseBusy {
  return new DatabaseBusy('The database is locked by another process.', { cause })
}

export const howReplaced = `Stop the server, and put a backup in its place with \`${appName} restore\`.`

export const howFound =
  'Its log (-wal) was deleted or replaced while a server had it open: request a page such as /up from that server, so that it moves the whole log into the database, and try again. Do not kill it before.'

/** Returns an error that names the file and says what to do; returns errors without such advice unchanged. */
export function explained(error: unknown, file: string): unknown {
  const explain = explanations.find(([codes]) => codes.test(errorCode(error)))?.[1]
  return explain ? new Error(explain(file, messageOf(error)), { cause: error }) : error
}

function toWrite(file: string): string {
  const fault = unwritable(file)
  // Does not advise another path, since that would be another database.
  if (fault?.isReadOnly && existsSync(file)) return fault.advice
  const advice = fault?.advice ?? 'let this user read and write it and its folder'
  return `${advice}, or set DB_PATH to another file`
}

/** Returns the target of a symbolic link; undefined if the path is none. */
function linkedTo(file: string): string | undefined {
  try {
    return resolve(dirname(file), readlinkSync(file))
  } catch {
    return undefined
  }
}

const explanations: readonly (readonly [
  codes: RegExp,
  explain: (file: string, message: string) => string,
])[] = [
  [
    /^EISDIR$/,
    (file) => `The database ${file} is a folder: set DB_PATH to a file, such as ${file}/app.db.`,
  ],
  [
    /^(ENOENT|ENOTDIR)$/,
    (file) => {
      const target = linkedTo(file)
      return target === undefined
        ? `The database ${file} has no folder: make ${dirname(file)}, or set DB_PATH to another file.`
        : `The database ${file} is a link to ${target}, which is not there: bring that back, such as by mounting its disk, or set DB_PATH to another file.`
    },
  ],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN.*|SQLITE_READONLY.*|SQLITE_PERM)$/,
    (file) => `The database ${file} cannot be written: ${toWrite(file)}.`,
  ],
  [
    /^E[MN]FILE$/,
    (file) =>
      `The database ${file} cannot be opened, since no more files may be: raise the limit, such as by \`ulimit -n 65536\`, or LimitNOFILE=65536 in the unit of systemd.`,
  ],
  [
    /^SQLITE_NOTADB$/,
    (file) => `The file ${file} is not a database: move it away, or set DB_PATH to another file.`,
  ],
  [/^SQLITE_CORRUPT/, (file) => `The database ${file} is damaged. ${howReplaced}`],
  [
    /^(SQLITE_FULL|ENOSPC)$/,
    (file) => `The disk of the database ${file} is full: make room on it.`,
  ],
  [
    /^SQLITE_IOERR_SHORT_READ$/,
    (file, message) => `The database ${file} cannot be read (${message}). ${howFound}`,
  ],
  [
    /^SQLITE_IOERR/,
    (file, message) =>
      `The database ${file} cannot be kept (${message}): make room on its disk; if there is some, have the disk looked at.`,
  ],
]

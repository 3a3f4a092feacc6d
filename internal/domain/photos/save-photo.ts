import { jobs } from '#db/jobs'
import { users } from '#db/users'
import { withoutMetadata } from '../../base/metadata/without-metadata.ts'
import {
  extensionOf,
  isTooWide,
  photoFolder,
  type PhotoExtension,
  photoTypes,
} from '../../base/photo.ts'
import { randomId } from '../../base/crypto/random.ts'
import { minute } from '../../base/time-units.ts'
import { pushLater } from '../../services/jobs/push.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropPhoto } from './drop-photo.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

export type PhotoFault = 'missing' | 'type' | 'parts' | 'wide'

/** A photo that can be stored, without its metadata. */
export interface JudgedPhoto {
  readonly extension: PhotoExtension
  readonly content: Uint8Array
}

/** `again`: the photo was not stored in time, and may be sent again. */
export type PhotoSaved = { result: 'saved' } | { result: 'again' } | Ended

/** Judges a photo, whose size in bytes is already checked, before anything is done with it. */
export function judgePhoto(file: Uint8Array): { fault: PhotoFault } | { photo: JudgedPhoto } {
  if (file.length === 0) return { fault: 'missing' }
  const extension = extensionOf(file)
  if (!extension) return { fault: 'type' }
  const content = withoutMetadata(file)
  if (!content) return { fault: 'parts' }
  // Measured on what is stored, which is what browsers draw: another header in `file` may give another size.
  return isTooWide(content) ? { fault: 'wide' } : { photo: { extension, content } }
}

// Milliseconds. Writing a file takes seconds at most: if this job runs, the process ended while writing.
const longest = 15 * minute

/**
 * Replaces a user's photo. Before the file is written, a job to delete it is pushed, and only after that does
 * the row name it: whatever fails, no row lacks its file, and eventually no file lacks its row.
 */
export async function savePhoto(
  app: App,
  login: Login,
  { extension, content }: JudgedPhoto,
): Promise<PhotoSaved> {
  const key = `${photoFolder}/${randomId()}.${extension}`
  const due = new Date(app.now().getTime() + longest)
  const deletion = await app.db.transaction((tx) =>
    pushLater(app, tx, { name: 'delete-file', payload: { key }, due }),
  )
  await app.files.put(key, { content, type: photoTypes[extension] })
  return asUser(app, login, (tx, user) => nameFile(app, tx, user, { key, deletion }))
}

async function nameFile(
  app: App,
  tx: Tx,
  { id, photo }: User,
  { key, deletion }: { key: string; deletion: number },
): Promise<PhotoSaved> {
  if (!(await jobs.cancel(tx, deletion))) {
    // The job may have run before the file existed.
    await dropPhoto(app, tx, key)
    return { result: 'again' }
  }
  await users.setPhoto(tx, { id, photo: key })
  await dropPhoto(app, tx, photo)
  return { result: 'saved' }
}

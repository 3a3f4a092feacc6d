import { jobs } from '#db/jobs'
import { users } from '#db/users'
import { withoutMetadata } from '../../base/metadata/without-metadata.ts'
import { extensionOf, isTooWide, type PhotoExtension, photoTypes } from '../../base/photo.ts'
import { randomId } from '../../base/crypto/random.ts'
import { minute } from '../../base/time-units.ts'
import { pushLater } from '../../services/jobs/push.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropPhoto } from './drop-photo.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

/** What is wrong with a photo. */
export type PhotoFault = 'missing' | 'type' | 'parts' | 'wide'

/** A photo that can be kept, without its metadata. */
export interface JudgedPhoto {
  readonly extension: PhotoExtension
  readonly content: Uint8Array
}

/** `again`: the photo was not kept in time, and may be sent again. */
export type PhotoSaved = { result: 'saved' } | { result: 'again' } | Ended

/** Judges a photo, which is not too large in bytes, before anything is done with it. */
export function judgePhoto(sent: Uint8Array): { fault: PhotoFault } | { photo: JudgedPhoto } {
  if (sent.length === 0) return { fault: 'missing' }
  const extension = extensionOf(sent)
  if (!extension) return { fault: 'type' }
  const content = withoutMetadata(sent)
  if (!content) return { fault: 'parts' }
  // Nothing may be left of what only begins like a photo.
  if (extensionOf(content) !== extension) return { fault: 'type' }
  // The size is looked for in what is kept, which is what browsers draw: another header in `sent` may say otherwise.
  return isTooWide(content) ? { fault: 'wide' } : { photo: { extension, content } }
}

// Milliseconds. Writing a file takes seconds at most: if this job runs, the process has ended while it wrote.
const longest = 15 * minute

/**
 * Replaces a user's photo. The file is written before the row names it, and a job to delete the file is pushed before
 * that: whatever fails, no row lacks its file, and in the end no file lacks its row.
 */
export async function savePhoto(
  app: App,
  login: Login,
  { extension, content }: JudgedPhoto,
): Promise<PhotoSaved> {
  const key = `photos/${randomId()}.${extension}`
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
    // The job may have run before the file was there.
    await dropPhoto(app, tx, key)
    return { result: 'again' }
  }
  await users.setPhoto(tx, { id, photo: key })
  await dropPhoto(app, tx, photo)
  return { result: 'saved' }
}

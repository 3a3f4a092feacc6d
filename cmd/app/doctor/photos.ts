import { access, constants, lstat, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { health } from '#db/health'
import { appName } from '../../../web/contract/name.ts'
import { errorCode } from '../../../internal/base/error-code.ts'
import { bucketAdvice } from '../../../internal/base/files/bucket-fault.ts'
import { isPhotoKey } from '../../../internal/base/photo.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'
import { shellWord } from '../../../internal/base/text/shell-word.ts'
import { wholeSentence } from '../../../internal/base/text/whole-sentence.ts'
import { nearest } from '../../../internal/base/program/nearest.ts'
import { fail, ok, type Finding } from '../../../internal/base/finding.ts'
import type { Config } from '../../../internal/base/settings/config.ts'
import type { Files } from '../../../internal/base/files/files.ts'
import type { Db } from '../../../internal/db/db.ts'

/** Checks whether new photos can be stored, and the newest photos of accounts read. */
export async function photoFindings(
  config: Config,
  files: Files,
  db: Db | undefined,
): Promise<Finding[]> {
  const storage = await storageFinding(config, files)
  if (storage.state === 'fail' || !db) return [storage]
  const most = config.files.disk === 'local' ? 100 : 10
  const { count, keys } = await health.photos(db, most)
  const outcomes = await Promise.all(keys.map((key) => tryReading(files, key)))
  const unreadPhoto = outcomes.find((outcome) => typeof outcome === 'object')
  if (unreadPhoto) return [storage, unreadableFinding(config, unreadPhoto)]
  const missing = outcomes.filter((outcome) => outcome === 'missing').length
  if (missing === 0) return [storage]
  return [
    storage,
    fail(
      'photos',
      `${missing} of the ${counted(keys.length, 'newest photo')} could not be found, of ${count} in all.`,
      config.files.disk === 'local'
        ? `Set FILES_PATH to the folder of the server, or put the files of a backup back with \`${appName} restore\`.`
        : 'Set AWS_BUCKET and the settings beside it to the bucket of the server.',
    ),
  ]
}

interface UnreadPhoto {
  readonly key: string
  readonly error: Error
}

/** Reads a photo's first byte: a file that exists may still be unreadable for this user. */
async function tryReading(files: Files, key: string): Promise<'read' | 'missing' | UnreadPhoto> {
  try {
    const file = isPhotoKey(key) ? await files.open(key) : undefined
    if (!file) return 'missing'
    await buffer(file.read({ from: 0, to: 0 }))
    return 'read'
  } catch (error) {
    return { key, error: error as Error }
  }
}

function unreadableFinding({ files }: Config, { key, error }: UnreadPhoto): Finding {
  return fail(
    'photos',
    `The photo ${key} cannot be read: ${wholeSentence(error.message)}`,
    files.disk === 'local'
      ? `Let the user of the server read it and the others there: chown -R <user> ${shellWord(files.path)}`
      : bucketAdvice(error),
  )
}

async function storageFinding({ files: place }: Config, files: Files): Promise<Finding> {
  if (place.disk === 'local' && !(await isThere(place.path))) return folderFinding(place.path)
  try {
    // Writes an empty file and deletes it: a folder that looks writable may not be, nor a bucket that answers.
    await files.check()
  } catch (error) {
    const { message } = error as Error
    return fail('photos', 'Photos cannot be kept properly.', message)
  }
  const location = place.disk === 'local' ? place.path : `the bucket ${place.bucket}`
  return ok('photos', `They can be kept in ${location}.`)
}

async function folderFinding(folder: string): Promise<Finding> {
  // `lstat`, because a dangling link occupies the name, so that no folder can be created there.
  const nearestPath = await nearest(folder, lstat)
  const stats = await stat(nearestPath).catch(() => undefined)
  if (!stats?.isDirectory())
    return fail(
      'photos',
      `There is no folder ${folder}, and it cannot be made, since ${nearestPath} is no folder.`,
      'Move that away, mount what it stands for, or set FILES_PATH to another folder.',
    )
  const isWritable = await access(nearestPath, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (isWritable) return ok('photos', `The folder ${folder} will be made for the first one.`)
  return fail(
    'photos',
    `There is no folder ${folder}, and this user cannot make it in ${nearestPath}.`,
    'Make it, let this user write there, or set FILES_PATH to another folder.',
  )
}

/** Also true if this user may not look: the file may be there. */
function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => /^(EACCES|EPERM)$/.test(errorCode(error)),
  )
}

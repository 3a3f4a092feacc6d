import { path } from '../../../web/contract/paths.ts'
import { words } from '../../../web/contract/words.ts'
import { largestPhoto } from '../../base/photo.ts'
import { removePhoto } from '../../domain/photos/remove-photo.ts'
import { judgePhoto, type PhotoFault, savePhoto } from '../../domain/photos/save-photo.ts'
import { take } from '../../services/throttle.ts'
import { textOf } from '../fields.ts'
import { action, fileValidated } from '../form.ts'
import { invalid, loginEnded, redirect, tooManyTries } from '../reply.ts'
import { readUpload } from '../upload.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../form.ts'

/** Takes the photo of the user, or with `_method` takes it away (spec: Settings; contract: Names). */
export const updatePhoto: Handler = async (c) => {
  const userId = c.visitor?.user.id
  if (userId === undefined) return loginEnded(c)
  const wait = await take(c.app, 'uploads', String(userId))
  // Beyond the throttle too the form is read, since a browser sends all of it before it looks at the answer.
  const most = wait === undefined ? largestPhoto : 0
  const { fields, file } = await readUpload(c, { field: 'photo', most })
  if (textOf(fields, '_method').toUpperCase() === 'DELETE') {
    c.fields = fields
    return destroyPhoto(c)
  }
  if (wait !== undefined) return tooManyTries(c, 'photo', wait)
  const fault = file === 'large' ? file : judgePhoto(file)
  const validated = fileValidated(c, 'photo', fault && faults[fault])
  if (validated) return validated
  return file === 'large' || fault
    ? invalid(c, { photo: faults[fault ?? 'large'] })
    : saved(c, userId, file)
}

const faults: Readonly<Record<PhotoFault | 'large', string>> = {
  missing: words.errors.photoMissing,
  type: words.errors.photoType,
  large: words.errors.photoLarge,
  wide: words.errors.photoWide,
}

async function saved(c: Context, userId: number, content: Uint8Array): Promise<Answer> {
  const { result } = await savePhoto(c.app, userId, content)
  switch (result) {
    case 'again':
      return invalid(c, { photo: words.errors.photoAgain })
    case 'saved':
      return redirect(c, path('profile.edit'), { success: words.flash.photoSaved })
  }
}

export const destroyPhoto = action({}, async (c) => {
  const userId = c.visitor?.user.id
  if (userId === undefined) return loginEnded(c)
  await removePhoto(c.app, userId)
  return redirect(c, path('profile.edit'), { success: words.flash.photoRemoved })
})

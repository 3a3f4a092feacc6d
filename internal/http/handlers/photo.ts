import { largestPhoto } from '../../../web/contract/limits.ts'
import { paths } from '../../../web/contract/paths.ts'
import { standing } from '../../domain/logins/check-login.ts'
import { removePhoto } from '../../domain/photos/remove-photo.ts'
import {
  type JudgedPhoto,
  judgePhoto,
  type PhotoFault,
  savePhoto,
} from '../../domain/photos/save-photo.ts'
import { take } from '../../services/throttle.ts'
import { textOf } from '../body/fields.ts'
import { action, fileValidated } from '../form.ts'
import { logAccount } from '../log-account.ts'
import { invalid, tooManyTries } from '../failed-form.ts'
import { sentByAnother } from '../guards.ts'
import { loginEnded, redirect } from '../reply.ts'
import { readUpload } from '../body/upload.ts'
import type { Answer } from '../answer.ts'
import type { UserContext } from '../context.ts'
import type { Handler } from '../form.ts'

/** Takes the photo of the user, or with `_method` takes it away (spec: Settings; contract: Names). */
export const updatePhoto: Handler<UserContext> = async (c) => {
  const { login } = c.visitor
  const wait = await take(c.app, 'uploads', String(login.userId))
  // Beyond the throttle too the form is read, since a browser sends all of it before it looks at the answer.
  const most = wait === undefined ? largestPhoto : 0
  const { fields, file } = await readUpload(c, { field: 'photo', most })
  // That may have taken half a minute: the session that the request came with may be over (security rule 21).
  if (!(await standing(c.app.db, c.app, login))) return loginEnded(c)
  c.fields = fields
  const another = sentByAnother(c)
  if (another) return another
  if (textOf(fields, '_method').toUpperCase() === 'DELETE') return destroyPhoto(c)
  if (wait !== undefined)
    return fileValidated(c, 'photo', c.words.tryAgainIn(wait)) ?? tooManyTries(c, 'photo', wait)
  const judged = file === 'large' ? file : judgePhoto(file)
  const fault = typeof judged === 'string' ? faultOf(c, judged) : undefined
  const validated = fileValidated(c, 'photo', fault)
  if (validated) return validated
  return typeof judged === 'string' ? invalid(c, { photo: faultOf(c, judged) }) : saved(c, judged)
}

function faultOf({ words: { errors } }: UserContext, fault: PhotoFault | 'large'): string {
  return {
    missing: errors.photoMissing,
    type: errors.photoType,
    large: errors.photoLarge,
    wide: errors.photoWide,
  }[fault]
}

async function saved(c: UserContext, photo: JudgedPhoto): Promise<Answer> {
  const { login } = c.visitor
  const { result } = await savePhoto(c.app, login, photo)
  switch (result) {
    case 'ended':
      return loginEnded(c)
    case 'again':
      return invalid(c, { photo: c.words.errors.photoAgain })
    case 'saved':
      logAccount(c, 'photo changed', login.userId)
      return redirect(c, paths['profile.edit'], { success: c.words.flash.photoSaved })
  }
}

export const destroyPhoto = action({}, async (c: UserContext) => {
  const { login } = c.visitor
  const { result } = await removePhoto(c.app, login)
  if (result === 'ended') return loginEnded(c)
  if (result === 'removed') logAccount(c, 'photo removed', login.userId)
  return redirect(c, paths['profile.edit'], { success: c.words.flash.photoRemoved })
})

import { largestPhoto } from '../../../../web/contract/limits.ts'
import { paths } from '../../../../web/contract/paths.ts'
import { throttleAddress } from '../../../base/network/address.ts'
import { findVisit } from '../../../domain/logins/check-login.ts'
import { removePhoto } from '../../../domain/photos/remove-photo.ts'
import {
  type JudgedPhoto,
  judgePhoto,
  type PhotoFault,
  savePhoto,
} from '../../../domain/photos/save-photo.ts'
import { take } from '../../../services/throttle.ts'
import { textOf } from '../../body/fields.ts'
import { action, answerFileValidation } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { refuseFormOfAnother } from '../../guards.ts'
import { loginEnded, redirect } from '../../reply.ts'
import { mayHaveFile, readUpload, type Upload } from '../../body/upload.ts'
import { type Answer, Refusal } from '../../answer.ts'
import type { UserContext } from '../../context.ts'
import type { Handler } from '../../form/form.ts'

/** Saves the user's photo, or deletes it if `_method` says so (spec: Settings; contract: Names). */
export const updatePhoto: Handler<UserContext> = async (c) => {
  if (!mayHaveFile(c)) return readAndUpdate(c)
  const leave = c.app.uploads.enter(c.visitor.login.userId, throttleAddress(c.address))
  // Before it is counted by the throttle, as with hashes, and before it is read (security rules 6 and 12).
  if (!leave) throw new Refusal(503, { 'Retry-After': String(secondsUntilPlace) })
  try {
    const wait = await take(c.app, 'uploads', String(c.visitor.login.userId))
    // Nothing of it is kept: whoever sends it slowly must not hold a place that others need.
    if (wait !== undefined) leave()
    return await readAndUpdate(c, wait)
  } finally {
    leave()
  }
}

// By then most uploads have arrived, especially those of people who wait for theirs.
const secondsUntilPlace = 5

/** `wait`: the seconds until another photo may be uploaded; undefined if one may now. */
async function readAndUpdate(c: UserContext, wait?: number): Promise<Answer> {
  // A throttled form is read too, since a browser sends all of it before it reads the answer.
  const most = wait === undefined ? largestPhoto : 0
  const { fields, handOver } = await readUpload(c, { field: 'photo', most })
  c.fields = fields
  const refusal = await turnAwayIfEnded(c)
  if (refusal) return refusal
  if (textOf(fields, '_method').toUpperCase() === 'DELETE') return destroyPhoto(c)
  if (wait === undefined) return judgeAndSave(c, handOver)
  return (
    answerFileValidation(c, 'photo', c.words.tryAgainIn(wait)) ?? tooManyTries(c, 'photo', wait)
  )
}

/** Checks the login again: during the upload, up to 30 s, it may end or be replaced (security rule 21). */
async function turnAwayIfEnded(c: UserContext): Promise<Answer | undefined> {
  const visitor = await findVisit(c.app.db, c.app, c.visitor.login)
  return visitor ? refuseFormOfAnother(c) : loginEnded(c)
}

/** Releases the upload once it is judged, so that it is not held while the stored photo is written. */
async function judgeAndSave(c: UserContext, handOver: Upload['handOver']): Promise<Answer> {
  const judged = await c.app.uploads.inTurn(() => {
    const file = handOver()
    return file === 'large' ? ({ fault: file } as const) : judgePhoto(file)
  })
  if ('photo' in judged)
    return answerFileValidation(c, 'photo', undefined) ?? saveJudged(c, judged.photo)
  const message = messageOf(c, judged.fault)
  return answerFileValidation(c, 'photo', message) ?? invalid(c, { photo: message })
}

function messageOf({ words: { errors } }: UserContext, fault: PhotoFault | 'large'): string {
  return {
    missing: errors.photoMissing,
    type: errors.photoType,
    parts: errors.photoParts,
    large: errors.photoLarge,
    wide: errors.photoWide,
  }[fault]
}

async function saveJudged(c: UserContext, photo: JudgedPhoto): Promise<Answer> {
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

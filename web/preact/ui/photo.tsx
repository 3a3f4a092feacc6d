import { largestPhoto } from '../../contract/limits.ts'
import type { User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { profile } from '#words/profile'
import { Avatar } from './avatar.tsx'
import { Form } from './form.tsx'

interface PhotoProps {
  readonly user: User
  readonly error: string | undefined
}

/** The photo, with the ways to another and to none. */
export function Photo({ user, error }: PhotoProps) {
  return (
    <div class="photo">
      <div class="photo-shown">
        <Avatar user={user} size={96} />
        <canvas id="photo-preview" class="avatar large" width="192" height="192" hidden />
      </div>
      <div class="photo-ways">
        <form
          class="form"
          method="post"
          action={paths['profile.photo.update']}
          encType="multipart/form-data"
          noValidate
        >
          <PhotoField error={error} />
          <button class="button primary" type="submit">
            {buttons.uploadPhoto}
          </button>
        </form>
        {user.photo && (
          <Form
            action={paths['profile.photo.destroy']}
            method="DELETE"
            submit={buttons.removePhoto}
            kind="plain"
          />
        )}
      </div>
    </div>
  )
}

/** The client draws what is chosen into the canvas, and tells what will not do before it is sent. */
function PhotoField({ error }: { error: string | undefined }) {
  return (
    <div class="field">
      <label for="photo">{profile.choose}</label>
      <input
        id="photo"
        type="file"
        name="photo"
        accept="image/png,image/jpeg,image/webp"
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error ? 'photo-error' : 'photo-hint'}
        data-preview="photo-preview"
        data-most={largestPhoto}
        data-too-large={errorWords.photoLarge}
        data-wrong-type={errorWords.photoType}
      />
      <div id="photo-error" class="error" aria-live="polite">
        {error && <p class="sign">{error}</p>}
      </div>
      {!error && (
        <p id="photo-hint" class="hint">
          {profile.photoHint}
        </p>
      )}
    </div>
  )
}

import { largestPhoto } from '../../../contract/limits.ts'
import type { User } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { profile } from '#words/settings/profile'
import { Avatar } from '../avatar.tsx'
import { Form } from '../form.tsx'
import { HiddenFields } from '../hidden-fields.tsx'
import { CropArea, CropZoom } from './photo-crop.tsx'

interface PhotoProps {
  readonly user: User
  readonly error: string | undefined
}

/** The photo, with the buttons to replace and to remove it. */
export function Photo({ user, error }: PhotoProps) {
  return (
    <div class="photo">
      <div class="photo-shown">
        <Avatar user={user} size={96} />
        <CropArea />
      </div>
      <div class="photo-ways">
        <form
          class="form"
          method="post"
          action={paths['profile.photo.update']}
          encType="multipart/form-data"
          noValidate
        >
          <HiddenFields />
          <PhotoField error={error} />
          <CropZoom />
          <div class="ways">
            <button class="button primary once-chosen" type="submit">
              {buttons.uploadPhoto}
            </button>
            <button class="button while-cropping" type="reset">
              {profile.cancelCrop}
            </button>
          </div>
        </form>
        {user.photo && (
          <Form
            action={paths['profile.photo.destroy']}
            method="DELETE"
            submit={buttons.removePhoto}
            variant="plain"
          />
        )}
      </div>
    </div>
  )
}

/** The file field. The client opens a crop for the chosen photo, or shows why the file is refused. */
function PhotoField({ error }: { error: string | undefined }) {
  return (
    <div class="field photo-field">
      <label for="photo">{profile.choose}</label>
      <input
        id="photo"
        type="file"
        name="photo"
        required
        accept="image/png,image/jpeg,image/webp"
        aria-invalid={error ? 'true' : 'false'}
        aria-describedby={error ? 'photo-error' : 'photo-hint'}
        data-crop="photo-crop"
        data-most={largestPhoto}
        data-too-large={errorWords.photoLarge}
        data-too-wide={errorWords.photoWide}
        data-wrong-type={errorWords.photoType}
      />
      <div id="photo-error" class="error" aria-live="polite">
        {error && <p class="sign">{error}</p>}
      </div>
      {!error && (
        <p id="photo-hint" class="hint">
          <span class="without-script">{profile.photoHint}</span>
          <span class="with-script">{profile.photoHintAnySize}</span>
        </p>
      )}
    </div>
  )
}

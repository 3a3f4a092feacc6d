import { profile } from '#words/settings/profile'

/** The canvas to move and zoom a chosen photo. Hidden until then, like all crop controls. */
export function CropArea() {
  return (
    <div class="crop">
      <canvas
        id="photo-crop"
        width="576"
        height="576"
        hidden
        tabIndex={0}
        // With this role screen readers pass keys through.
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
        role="application"
        aria-label={profile.crop}
        aria-describedby="photo-crop-how"
        data-zoom="photo-zoom"
        data-told={profile.cropAt('{zoom}', '{left}', '{top}')}
      />
    </div>
  )
}

export function CropZoom() {
  return (
    <div class="field while-cropping">
      <label for="photo-zoom">{profile.zoom}</label>
      <input id="photo-zoom" type="range" min="1" max="4" step="any" defaultValue="1" />
      <p id="photo-crop-how" class="hint">
        {profile.cropHow}
      </p>
    </div>
  )
}

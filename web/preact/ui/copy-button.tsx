import { copying } from '#words/settings/two-factor'

/** A button that copies the text of the element with the ID `of`; hidden without scripts. */
export function CopyButton({ of, children }: { of: string; children: string }) {
  return (
    <button
      class="button"
      type="button"
      data-copy={of}
      data-done={copying.done}
      data-failed={copying.failed}
    >
      {children}
    </button>
  )
}

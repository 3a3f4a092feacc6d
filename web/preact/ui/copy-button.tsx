import { copying } from '#words/two-factor'

/** Copies the text of the element of that ID; style hides it without a script. */
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

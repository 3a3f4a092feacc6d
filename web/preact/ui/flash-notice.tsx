import type { Flash } from '../../contract/pages.ts'

/** The flash in the page, for browsers without JavaScript; hidden otherwise, as the client shows toasts. */
export function FlashNotice({ flash }: { flash: Flash }) {
  return (
    <>
      {flash.success && (
        <output class="flash sign" data-kind="success">
          {flash.success}
        </output>
      )}
      {flash.error && (
        <p class="flash sign" data-kind="error" role="alert">
          {flash.error}
        </p>
      )}
    </>
  )
}

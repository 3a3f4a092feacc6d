import type { ComponentChildren } from 'preact'
import { HiddenFields } from './hidden-fields.tsx'

interface FormDialogProps {
  readonly id: string
  /** The content of the button that opens the dialog. */
  readonly opener: ComponentChildren
  /** Whether the opener looks like any other button although the `variant` is `danger`. */
  readonly quiet?: boolean
  readonly variant: 'danger' | 'primary'
  readonly heading: string
  readonly text?: string
  readonly action: string
  readonly method: 'PATCH' | 'DELETE'
  /** Label of the submit button, or the button itself; `cancel`: label of the button that cancels. */
  readonly submit: ComponentChildren
  readonly cancel: string
  /** Whether its form has failed: without JavaScript it is then drawn open. */
  readonly failed?: boolean
  readonly children?: ComponentChildren
}

/** Asks for confirmation in a dialog; without JavaScript in the page, expanded by a summary. */
export function FormDialog(dialog: FormDialogProps) {
  const { id, opener, variant, heading, text, action, method, submit, cancel } = dialog
  const openerVariant = variant === 'danger' && !dialog.quiet ? variant : ''
  return (
    <>
      <button class={`button ${openerVariant}`} type="button" data-opens={id}>
        {opener}
      </button>
      <details class="unfold" open={dialog.failed}>
        <summary class={`button ${openerVariant}`}>{opener}</summary>
      </details>
      <dialog
        id={id}
        class="dialog"
        aria-labelledby={`${id}-heading`}
        aria-describedby={text && `${id}-text`}
      >
        <h3 id={`${id}-heading`} class="clamp">
          {heading}
        </h3>
        {text && (
          <p id={`${id}-text`} class="hint">
            {text}
          </p>
        )}
        <form class="form" method="post" action={action} noValidate>
          <HiddenFields method={method} />
          {dialog.children}
          <div class="ways">
            {typeof submit === 'string' ? (
              <button class={`button ${variant}`} type="submit">
                {submit}
              </button>
            ) : (
              submit
            )}
            <button class="button" formMethod="dialog" formNoValidate>
              {cancel}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

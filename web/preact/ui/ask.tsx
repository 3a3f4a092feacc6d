import type { ComponentChildren } from 'preact'
import { HiddenFields } from './hidden-fields.tsx'

interface AskProps {
  readonly id: string
  /** What the button says that opens it. */
  readonly opener: ComponentChildren
  /** Whether its opener looks like any other button, though what it asks about is dangerous. */
  readonly quiet?: boolean
  readonly kind: 'danger' | 'primary'
  readonly heading: string
  readonly text?: string
  readonly action: string
  readonly method: 'PATCH' | 'DELETE'
  /** The button that does it, and the one that leaves all as it is. */
  readonly submit: ComponentChildren
  readonly keep: string
  /** Whether the browser checks the fields by itself. */
  readonly checked?: boolean
  /** Whether it was sent and failed: without JavaScript it stands open then. */
  readonly failed?: boolean
  readonly children?: ComponentChildren
}

/** Asks once more before something is done: in a dialog, and without JavaScript in the page, once it is unfolded. */
export function Ask(ask: AskProps) {
  const { id, opener, kind, heading, text, action, method, submit, keep } = ask
  const loud = kind === 'danger' && !ask.quiet ? kind : ''
  return (
    <>
      <button class={`button ${loud}`} type="button" data-opens={id}>
        {opener}
      </button>
      <details class="unfold" open={ask.failed}>
        <summary class={`button ${loud}`}>{opener}</summary>
      </details>
      <dialog id={id} class="dialog" aria-labelledby={`${id}-heading`}>
        <h3 id={`${id}-heading`} class="clamp">
          {heading}
        </h3>
        {text && <p class="hint">{text}</p>}
        <form class="form" method="post" action={action} noValidate={!ask.checked}>
          <HiddenFields method={method} />
          {ask.children}
          <div class="ways">
            {typeof submit === 'string' ? (
              <button class={`button ${kind}`} type="submit">
                {submit}
              </button>
            ) : (
              submit
            )}
            <button class="button" formMethod="dialog" formNoValidate>
              {keep}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

import type { ComponentChildren } from 'preact'

interface PasskeyButtonProps {
  readonly ceremony: 'create' | 'get'
  /** Where the browser is told what is asked of it. */
  readonly options: string
  /** Where the answer goes, if not where the form goes. */
  readonly action?: string
  readonly kind?: 'primary' | 'danger' | ''
  readonly errors: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

/**
 * Sends the form with a passkey. The client answers it, and style hides it where the browser has none. Without the client
 * its action or its name says that it was pressed.
 */
export function PasskeyButton(button: PasskeyButtonProps) {
  const { credential } = button.errors
  return (
    <div class="passkey">
      <button
        class={`button ${button.kind ?? ''}`}
        type="submit"
        name={button.action ? undefined : 'credential'}
        formAction={button.action}
        formNoValidate
        data-passkey={button.ceremony}
        data-options={button.options}
      >
        {button.children}
      </button>
      <div class="error" role="alert">
        {credential && <p class="sign">{credential}</p>}
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'

interface PasskeyButtonProps {
  readonly ceremony: 'create' | 'get'
  /** The path from which the client fetches the WebAuthn options. */
  readonly options: string
  /** Where the passkey is sent, if not to the form's action. */
  readonly action?: string
  readonly variant?: 'primary' | 'danger' | ''
  readonly errors: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

/**
 * Submits the form with a passkey, which the client obtains; the stylesheet hides the button where passkeys
 * are impossible. Without the client, the button's action or name tells the server that it was pressed.
 */
export function PasskeyButton(button: PasskeyButtonProps) {
  const { credential } = button.errors
  return (
    <div class="passkey">
      <button
        class={`button ${button.variant ?? ''}`}
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

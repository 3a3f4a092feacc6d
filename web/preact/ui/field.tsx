import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { passwordRules } from '../../contract/limits.ts'
import { inputAttributes } from '../../contract/view/input-attributes.ts'
import { eye, eyeStroke } from '../../contract/view/eye-icon.ts'
import { labels } from '#words/labels'

export interface FieldProps {
  /** The name of the field, and its ID. */
  readonly name: string
  readonly label: string
  readonly type?: keyof typeof inputAttributes
  readonly autocomplete: string
  /** Whether the field only shows its value. */
  readonly readonly?: boolean
  readonly hint?: string
  /** The class of an element around the input. */
  readonly frame?: string
  /** Further attributes of the input. */
  readonly input?: InputHTMLAttributes & Readonly<Record<`data-${string}`, string | number>>
  /** The page's errors and old input; the field takes its own by name. */
  readonly errors: Readonly<Record<string, string>>
  readonly old?: Readonly<Record<string, string>>
}

/**
 * A labelled input with its hint or error. It is uncontrolled: typed text lives in the DOM only. So a text
 * area has `defaultValue={old?.text}`, and an option of a `<select>` `{...{ defaultSelected: isChosen }}`,
 * which its types lack.
 */
export function Field(field: FieldProps) {
  const { name, type = 'text', errors, hint } = field
  const error = errors[name]
  const input = <Input {...field} />
  const framedInput = field.frame ? <div class={field.frame}>{input}</div> : input
  return (
    <div class="field">
      <label for={name}>{field.label}</label>
      {type === 'password' ? <Covered id={name}>{input}</Covered> : framedInput}
      <div id={`${name}-error`} class="error" aria-live="polite">
        {error && <p class="sign">{error}</p>}
      </div>
      {hint && !error && (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

function Input(field: FieldProps) {
  const { name, type = 'text', autocomplete, readonly, hint, errors, old } = field
  const error = errors[name]
  const descriptionId = error ? `${name}-error` : hint && `${name}-hint`
  return (
    <input
      id={name}
      name={name}
      required
      readOnly={readonly}
      autocomplete={autocomplete}
      defaultValue={old?.[name]}
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={descriptionId}
      {...inputAttributes[type]}
      {...(autocomplete === 'new-password' && { passwordrules: passwordRules })}
      {...field.input}
    />
  )
}

/** A password with a button to show it. The client handles the click; without it the button is hidden. */
function Covered({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div class="covered">
      {children}
      <button
        type="button"
        data-show-password={id}
        aria-label={labels.showPassword}
        aria-pressed="false"
        aria-controls={id}
      >
        <EyeIcon />
      </button>
    </div>
  )
}

/** An eye, which the stylesheet crosses out while the password is hidden. */
function EyeIcon() {
  return (
    <svg class="icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d={eye} />
      <circle cx="10" cy="10" r="2.5" />
      <path class="stroke" d={eyeStroke} />
    </svg>
  )
}

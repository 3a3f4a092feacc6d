import { codeDigits } from '../../contract/limits.ts'
import { labels } from '#words/labels'
import { Field } from './field.tsx'

interface CodeFieldProps {
  readonly hint?: string
  /** Says that the form is sent by itself; shown with a script only, since the client sends it. */
  readonly sent: string
  readonly errors: Readonly<Record<string, string>>
  readonly autofocus?: boolean
}

/** The field for the six digits of an authenticator app: with a keyboard of digits, and sent once all six are in. */
export function CodeField({ hint, sent, errors, autofocus }: CodeFieldProps) {
  const isHinted = !errors.code
  return (
    <div class="field">
      <Field
        name="code"
        label={labels.code}
        autocomplete="one-time-code"
        errors={errors}
        frame="digits"
        input={{
          inputMode: 'numeric',
          'data-submit-at': codeDigits,
          autofocus,
          ...(isHinted && { 'aria-describedby': 'code-hint' }),
        }}
      />
      {isHinted && (
        <p id="code-hint" class="hint">
          {hint} <span class="with-script">{sent}</span>
        </p>
      )}
    </div>
  )
}

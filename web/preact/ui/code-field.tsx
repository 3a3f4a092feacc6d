import { codeDigits } from '../../contract/limits.ts'
import { labels } from '#words/labels'
import { Field } from './field.tsx'

interface CodeFieldProps {
  readonly hint?: string
  /** Says that the form is submitted automatically; shown with scripts only, since the client does that. */
  readonly autoSubmitHint: string
  readonly errors: Readonly<Record<string, string>>
  readonly autofocus?: boolean
}

/** The field for an authenticator app's six digits: with a numeric keyboard, submitted once complete. */
export function CodeField({ hint, autoSubmitHint, errors, autofocus }: CodeFieldProps) {
  const showsHint = !errors.code
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
          ...(showsHint && { 'aria-describedby': 'code-hint' }),
        }}
      />
      {showsHint && (
        <p id="code-hint" class="hint">
          {hint} <span class="with-script">{autoSubmitHint}</span>
        </p>
      )}
    </div>
  )
}

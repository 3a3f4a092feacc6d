import { codeDigits } from '../../contract/limits.ts'
import { labels } from '#words/labels'
import { Field } from './field.tsx'

interface CodeFieldProps {
  readonly hint?: string
  /** That its form is sent by itself, which takes the client. */
  readonly sent: string
  readonly errors: Readonly<Record<string, string>>
  readonly autofocus?: boolean
}

/** The six digits of an authenticator app: a phone offers its digits, and the form is sent once they are in. */
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

import { codeDigits } from '../../contract/limits.ts'
import { labels } from '#words/labels'
import { Field } from './field.tsx'

interface CodeFieldProps {
  readonly hint?: string
  readonly errors: Readonly<Record<string, string>>
  readonly autofocus?: boolean
}

/** The six digits of an authenticator app: a phone offers its digits, and the form is sent once they are in. */
export function CodeField({ hint, errors, autofocus }: CodeFieldProps) {
  return (
    <Field
      name="code"
      label={labels.code}
      autocomplete="one-time-code"
      {...(hint && { hint })}
      errors={errors}
      frame="digits"
      input={{ inputMode: 'numeric', 'data-submit-at': codeDigits, autofocus }}
    />
  )
}

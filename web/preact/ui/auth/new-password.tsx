import { labels } from '#words/labels'
import { Field } from '../field.tsx'

interface NewPasswordProps {
  readonly label: string
  readonly errors: Readonly<Record<string, string>>
}

/** The fields for a new password and its confirmation. */
export function NewPassword({ label, errors }: NewPasswordProps) {
  const attributes = { type: 'password', autocomplete: 'new-password', errors } as const
  return (
    <>
      <Field name="password" label={label} hint={labels.passwordHint} {...attributes} />
      <Field name="password_confirmation" label={labels.confirmPassword} {...attributes} />
    </>
  )
}

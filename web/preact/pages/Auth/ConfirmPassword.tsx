import type { PageProps } from '../../../contract/pages.ts'
import { path } from '../../../contract/paths.ts'
import { buttons, labels } from '../../../contract/words.ts'
import { confirmPassword } from '../../../contract/words/recover.ts'
import { AccountName } from '../../ui/account-name.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

export function ConfirmPassword({ auth, errors }: PageProps<'Auth/ConfirmPassword'>) {
  return (
    <div class="card">
      <h1>{confirmPassword.heading}</h1>
      <p class="lead">{confirmPassword.lead}</p>
      <Form action={path('password.confirm.store')} submit={buttons.confirm}>
        <AccountName email={auth.user?.email} />
        <Field
          name="password"
          type="password"
          label={labels.password}
          autocomplete="current-password"
          errors={errors}
        />
      </Form>
    </div>
  )
}

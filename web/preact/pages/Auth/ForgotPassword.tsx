import type { PageProps } from '../../../contract/pages.ts'
import { path } from '../../../contract/paths.ts'
import { buttons, labels } from '../../../contract/words.ts'
import { forgotPassword } from '../../../contract/words/recover.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

export function ForgotPassword({ errors, old }: PageProps<'Auth/ForgotPassword'>) {
  return (
    <>
      <div class="card">
        <h1>{forgotPassword.heading}</h1>
        <p class="lead">{forgotPassword.lead}</p>
        <Form action={path('password.email')} submit={buttons.sendResetLink}>
          <Field
            name="email"
            type="email"
            label={labels.email}
            autocomplete="username"
            errors={errors}
            old={old}
          />
        </Form>
      </div>
      <p class="other">
        {forgotPassword.back} <a href={path('login')}>{buttons.logIn}</a>
      </p>
    </>
  )
}

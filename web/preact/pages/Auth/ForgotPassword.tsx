import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { forgotPassword } from '#words/recover'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

export function ForgotPassword({ errors, old }: PageProps<'Auth/ForgotPassword'>) {
  return (
    <>
      <div class="card">
        <h1>{forgotPassword.heading}</h1>
        <p class="lead">{forgotPassword.lead}</p>
        <Form action={paths['password.email']} submit={buttons.sendResetLink}>
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
        {forgotPassword.back} <a href={paths.login}>{buttons.logIn}</a>
      </p>
    </>
  )
}

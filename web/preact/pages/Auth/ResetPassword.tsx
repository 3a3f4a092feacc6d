import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { resetPassword } from '#words/recover'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NewPassword } from '../../ui/new-password.tsx'

export function ResetPassword({ token, email, errors }: PageProps<'Auth/ResetPassword'>) {
  return (
    <>
      <div class="card">
        <h1>{resetPassword.heading}</h1>
        <p class="lead">{resetPassword.lead}</p>
        <Form action={paths['password.store']} submit={buttons.setPassword}>
          <input type="hidden" name="token" value={token} />
          {/* Shown, so that a password manager keeps the new password for it; the link says whose it is. */}
          <Field
            name="email"
            type="email"
            label={labels.email}
            autocomplete="username"
            errors={errors}
            old={{ email }}
            readonly
          />
          <NewPassword label={labels.newPassword} errors={errors} />
        </Form>
      </div>
      <p class="other">
        {resetPassword.back} <a href={paths['password.request']}>{resetPassword.again}</a>
      </p>
    </>
  )
}

import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { forgotPassword, resetSent } from '#words/auth/recover'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { MailSent } from '../../ui/auth/mail-sent.tsx'

export function ForgotPassword(page: PageProps<'Auth/ForgotPassword'>) {
  const { sent, typed, errors, old = typed } = page
  return (
    <>
      <div class="card">
        {sent ? (
          <MailSent
            sent={sent}
            lead={resetSent.lead}
            action={paths['password.email']}
            errors={errors}
          >
            <a href={`${paths['password.request']}?another`}>{mailSent.another}</a>
          </MailSent>
        ) : (
          <>
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
          </>
        )}
      </div>
      <p class="other">
        {forgotPassword.back} <a href={paths.login}>{buttons.logIn}</a>
      </p>
    </>
  )
}

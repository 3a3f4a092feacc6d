import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { register } from '#words/auth/register'
import { Agreement } from '../../ui/auth/agreement.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { MailSent } from '../../ui/auth/mail-sent.tsx'
import { NewPassword } from '../../ui/auth/new-password.tsx'

export function Register(page: PageProps<'Auth/Register'>) {
  const { sent, errors } = page
  return (
    <>
      <div class="card">
        {sent ? (
          <MailSent
            sent={sent}
            lead={register.sent}
            action={paths['register.passkey']}
            errors={errors}
          >
            <a href={`${paths.register}?another`}>{mailSent.another}</a>
          </MailSent>
        ) : (
          <RegisterForm {...page} />
        )}
      </div>
      <p class="other">
        {register.other} <a href={paths.login}>{buttons.logIn}</a>
      </p>
    </>
  )
}

function RegisterForm(page: PageProps<'Auth/Register'>) {
  const { typed, errors, old = typed, links } = page
  return (
    <>
      <h1>{register.heading}</h1>
      <p class="lead">{register.lead}</p>
      <Form
        action={paths['register.store']}
        submit={buttons.createAccount}
        other={
          <p class="passkey">
            <button class="button" type="submit" formAction={paths['register.passkey']}>
              {buttons.usePasskeyInstead}
            </button>
          </p>
        }
        validate
      >
        <Field name="name" label={labels.name} autocomplete="name" errors={errors} old={old} />
        <Field
          name="email"
          type="email"
          label={labels.email}
          autocomplete="email"
          errors={errors}
          old={old}
        />
        <NewPassword label={labels.password} errors={errors} />
        <Agreement links={links} />
      </Form>
    </>
  )
}

import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'
import { forgotPassword, resetOver, resetPassword } from '#words/auth/recover'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NewPassword } from '../../ui/auth/new-password.tsx'

export function ResetPassword(page: PageProps<'Auth/ResetPassword'>) {
  const { token, email, valid, errors } = page
  if (!valid) return <ExpiredLink {...page} />
  return (
    <>
      <div class="card">
        <h1>{resetPassword.heading}</h1>
        <p class="lead">{resetPassword.lead}</p>
        <Form action={paths['password.store']} submit={buttons.setPassword}>
          <input type="hidden" name="token" value={token} />
          {/* Shown so that a password manager saves the new password for this email, which comes from the link. */}
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

/** Replaces the form when the link no longer works: one click mails another link. */
function ExpiredLink({ email, errors }: PageProps<'Auth/ResetPassword'>) {
  return (
    <>
      <div class="card">
        <h1>{resetOver.heading}</h1>
        <p class="lead">{resetOver.lead}</p>
        {email === '' ? (
          <p class="form">
            <a class="button primary" href={paths['password.request']}>
              {resetOver.send}
            </a>
          </p>
        ) : (
          <>
            <p class="lead">
              {resetOver.to}{' '}
              <strong>
                <bdi>{email}</bdi>
              </strong>
            </p>
            <div class="error" role="alert">
              {errors.email && <p class="sign">{errors.email}</p>}
            </div>
            <Form action={paths['password.email']} submit={resetOver.send}>
              <input type="hidden" name="email" value={email} />
            </Form>
            <p class="under">
              {mailSent.wrong} <a href={paths['password.request']}>{mailSent.another}</a>
            </p>
          </>
        )}
      </div>
      <p class="other">
        {forgotPassword.back} <a href={paths.login}>{buttons.logIn}</a>
      </p>
    </>
  )
}

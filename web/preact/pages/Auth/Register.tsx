import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { register } from '#words/register'
import { Agreement } from '../../ui/agreement.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NewPassword } from '../../ui/new-password.tsx'

export function Register({ errors, old, links }: PageProps<'Auth/Register'>) {
  return (
    <>
      <div class="card">
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
      </div>
      <p class="other">
        {register.other} <a href={paths.login}>{buttons.logIn}</a>
      </p>
    </>
  )
}

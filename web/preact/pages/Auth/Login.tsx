import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { PasskeyButton } from '../../ui/auth/passkey-button.tsx'

export function Login({ errors, old }: PageProps<'Auth/Login'>) {
  return (
    <>
      <div class="card">
        <h1>{login.heading}</h1>
        <p class="lead">{login.lead}</p>
        <Form
          submit={buttons.logIn}
          other={
            <PasskeyButton
              ceremony="get"
              options={paths['login.passkey.options']}
              action={paths['login.passkey.store']}
              errors={errors}
            >
              {buttons.logInPasskey}
            </PasskeyButton>
          }
        >
          <Field
            name="email"
            type="email"
            label={labels.email}
            autocomplete="username webauthn"
            errors={errors}
            old={old}
            input={{ 'data-passkey-autofill': '' }}
          />
          <Field
            name="password"
            type="password"
            label={labels.password}
            autocomplete="current-password"
            errors={errors}
            input={{ autofocus: Boolean(errors.email && old?.email) }}
          />
          <label class="check">
            <input type="checkbox" name="remember" defaultChecked={old?.remember === 'on'} />
            {labels.remember}
          </label>
        </Form>
        <p class="under">
          <a href={paths['password.request']}>{login.forgot}</a>
        </p>
      </div>
      <p class="other">
        {login.other} <a href={paths.register}>{buttons.createAccount}</a>
      </p>
    </>
  )
}

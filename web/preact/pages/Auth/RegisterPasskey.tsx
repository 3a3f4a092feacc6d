import type { PageProps } from '../../../contract/pages.ts'
import { path } from '../../../contract/paths.ts'
import { buttons } from '../../../contract/words.ts'
import { registerPasskey } from '../../../contract/words/challenge.ts'
import { PasskeyButton } from '../../ui/passkey-button.tsx'

export function RegisterPasskey({ email, name, token, errors }: PageProps<'Auth/RegisterPasskey'>) {
  // As in the link: the token is over both.
  const query = new URLSearchParams({ email, name })
  return (
    <>
      <div class="card">
        <h1>{registerPasskey.heading}</h1>
        <p class="lead">
          {registerPasskey.lead(name)} <strong>{email}</strong>
        </p>
        <p class="hint">{registerPasskey.about}</p>
        <form
          class="form"
          method="post"
          action={`${path('register.passkey.store', { token })}?${query}`}
        >
          <PasskeyButton
            ceremony="create"
            options={`${path('register.passkey.options', { token })}?${query}`}
            kind="primary"
            errors={errors}
          >
            {buttons.makePasskey}
          </PasskeyButton>
        </form>
        <p class="unable sign" data-kind="error">
          {registerPasskey.unable}
        </p>
      </div>
      <p class="other">
        {registerPasskey.other} <a href={path('register')}>{buttons.createAccount}</a>
      </p>
    </>
  )
}

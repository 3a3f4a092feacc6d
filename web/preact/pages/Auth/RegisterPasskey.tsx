import type { PageProps } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { registerPasskey } from '#words/challenge'
import { Agreement } from '../../ui/agreement.tsx'
import { PasskeyButton } from '../../ui/passkey-button.tsx'

export function RegisterPasskey({
  email,
  name,
  token,
  links,
  errors,
}: PageProps<'Auth/RegisterPasskey'>) {
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
          action={`${pathOf(paths['register.passkey.store'], { token })}?${query}`}
        >
          <Agreement links={links} />
          <PasskeyButton
            ceremony="create"
            options={`${pathOf(paths['register.passkey.options'], { token })}?${query}`}
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
        {registerPasskey.other} <a href={paths.register}>{buttons.createAccount}</a>
      </p>
    </>
  )
}

import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { passkeyUrls } from '../../../contract/view/passkey-urls.ts'
import { buttons } from '#words/buttons'
import { registerPasskey } from '#words/auth/challenge'
import { Agreement } from '../../ui/auth/agreement.tsx'
import { PasskeyButton } from '../../ui/auth/passkey-button.tsx'

export function RegisterPasskey(page: PageProps<'Auth/RegisterPasskey'>) {
  const { email, name, links, errors } = page
  const { store, options } = passkeyUrls(page)
  return (
    <>
      <div class="card">
        <h1>{registerPasskey.heading}</h1>
        <p class="lead">
          {registerPasskey.lead(name)}{' '}
          <strong>
            <bdi>{email}</bdi>
          </strong>
        </p>
        <p class="hint">{registerPasskey.about}</p>
        <form class="form" method="post" action={store}>
          <Agreement links={links} />
          <PasskeyButton ceremony="create" options={options} variant="primary" errors={errors}>
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

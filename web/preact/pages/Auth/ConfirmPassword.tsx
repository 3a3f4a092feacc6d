import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { confirmPassword } from '#words/auth/recover'
import { AccountName } from '../../ui/account-name.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { HiddenFields } from '../../ui/hidden-fields.tsx'
import { PasskeyButton } from '../../ui/auth/passkey-button.tsx'
import { LogOut } from '../../ui/bar/log-out.tsx'

export function ConfirmPassword({ auth, errors, passkey }: PageProps<'Auth/ConfirmPassword'>) {
  const withPasskey = (variant: 'primary' | '') => (
    <PasskeyButton
      ceremony="get"
      options={paths['password.confirm.passkey.options']}
      variant={variant}
      errors={errors}
    >
      {buttons.usePasskey}
    </PasskeyButton>
  )
  return (
    <div class="card">
      <h1>{confirmPassword.heading}</h1>
      <p class="lead">{auth.user.password ? confirmPassword.lead : confirmPassword.leadPasskey}</p>
      {auth.user.password ? (
        <Form submit={buttons.confirm} other={passkey && withPasskey('')}>
          <AccountName email={auth.user.email} />
          <Field
            name="password"
            type="password"
            label={labels.password}
            autocomplete="current-password"
            errors={errors}
          />
        </Form>
      ) : (
        <>
          <form class="form" method="post">
            <HiddenFields />
            {withPasskey('primary')}
          </form>
          <p class="unable sign" data-kind="error">
            {confirmPassword.unable}
          </p>
        </>
      )}
      <p class="hint">{auth.user.password ? confirmPassword.lost : confirmPassword.lostPasskey}</p>
      <LogOut />
    </div>
  )
}

import type { SharedProps, User } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { profile } from '#words/settings/profile'
import { AccountName } from '../account-name.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Field } from '../field.tsx'
import { PasskeyButton } from '../auth/passkey-button.tsx'

interface DeleteAccountProps {
  readonly user: User
  readonly errors: SharedProps['errors']
}

/** Asks for confirmation before the account is deleted: its password, or a passkey if it has none. */
export function DeleteAccount({ user, errors }: DeleteAccountProps) {
  return (
    <FormDialog
      id="delete-account"
      opener={buttons.deleteAccount}
      variant="danger"
      heading={profile.sure}
      text={user.password ? profile.sureText : profile.surePasskey}
      action={paths['profile.destroy']}
      method="DELETE"
      submit={user.password ? buttons.deleteAccount : <DeleteByPasskey errors={errors} />}
      cancel={profile.keep}
      failed={Boolean(errors.password ?? errors.credential)}
    >
      {user.password ? (
        <>
          <Field
            name="password"
            type="password"
            label={labels.password}
            autocomplete="current-password"
            errors={errors}
          />
          {/* Below the field, so that the field is first and gets the focus when the dialog opens. */}
          <AccountName email={user.email} />
        </>
      ) : (
        <p class="unable sign" data-kind="error">
          {profile.unable}
        </p>
      )}
    </FormDialog>
  )
}

function DeleteByPasskey({ errors }: Pick<DeleteAccountProps, 'errors'>) {
  return (
    <PasskeyButton
      ceremony="get"
      options={paths['password.confirm.passkey.options']}
      variant="danger"
      errors={errors}
    >
      {buttons.usePasskey}
    </PasskeyButton>
  )
}

import type { SharedProps, User } from '../../contract/pages.ts'
import { path } from '../../contract/paths.ts'
import { buttons, labels } from '../../contract/words.ts'
import { profile } from '../../contract/words/profile.ts'
import { AccountName } from './account-name.tsx'
import { Field } from './field.tsx'
import { Method } from './form.tsx'

interface DeleteAccountProps {
  readonly user: User
  readonly errors: SharedProps['errors']
}

/** Asks once more before the account is deleted: in a dialog, and without JavaScript in the page. */
export function DeleteAccount({ user, errors }: DeleteAccountProps) {
  if (!user.password)
    return (
      <p class="sign" data-kind="error">
        {profile.noPassword}
      </p>
    )
  return (
    <>
      <button class="button danger" type="button" data-opens="delete-account">
        {buttons.deleteAccount}
      </button>
      <dialog id="delete-account" class="dialog" aria-labelledby="delete-account-heading">
        <h3 id="delete-account-heading">{profile.sure}</h3>
        <p class="hint">{profile.sureText}</p>
        <form class="form" method="post" action={path('profile.destroy')} noValidate>
          <Method is="DELETE" />
          <Field
            name="password"
            type="password"
            label={labels.password}
            autocomplete="current-password"
            errors={errors}
          />
          {/* Below the field, which is thus the first and has the focus as the dialog opens. */}
          <AccountName email={user.email} />
          <p class="ways">
            <button class="button danger" type="submit">
              {buttons.deleteAccount}
            </button>
            <button class="button" formMethod="dialog" formNoValidate>
              {profile.keep}
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}

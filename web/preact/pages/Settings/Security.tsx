import type { PageProps, User } from '../../../contract/pages.ts'
import { path } from '../../../contract/paths.ts'
import { buttons, labels } from '../../../contract/words.ts'
import { security } from '../../../contract/words/security.ts'
import { AccountName } from '../../ui/account-name.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Logins } from '../../ui/logins.tsx'
import { NewPassword } from '../../ui/new-password.tsx'
import { Panel } from '../../ui/panel.tsx'

type Props = PageProps<'Settings/Security'>

export function Security({ auth, errors, logins, passkeys }: Props) {
  // Only a verified user comes here; types say that any page may be a guest's.
  if (!auth.user) return null
  const hasOtherWay = passkeys.length > 0
  return (
    <>
      <h1>{security.heading}</h1>
      <Password user={auth.user} errors={errors} />
      {auth.user.password && hasOtherWay && <RemovePassword />}
      <Panel id="logins" heading={security.logins} lead={security.loginsText}>
        <Logins logins={logins} />
      </Panel>
    </>
  )
}

function Password({ user, errors }: { user: User } & Pick<Props, 'errors'>) {
  const [heading, lead] = user.password
    ? [security.change, security.changeText]
    : [security.set, security.setText]
  const submit = user.password ? buttons.save : buttons.setPassword
  return (
    <Panel id="password-panel" heading={heading} lead={lead}>
      <Form action={path('user-password.update')} method="PUT" submit={submit} validate>
        <AccountName email={user.email} />
        {user.password && (
          <Field
            name="current_password"
            type="password"
            label={labels.currentPassword}
            autocomplete="current-password"
            errors={errors}
          />
        )}
        <NewPassword label={labels.newPassword} errors={errors} />
      </Form>
    </Panel>
  )
}

function RemovePassword() {
  return (
    <Panel id="remove" heading={security.removePassword} lead={security.removeText}>
      <Form
        action={path('user-password.destroy')}
        method="DELETE"
        submit={security.removeButton}
        kind="plain"
      />
    </Panel>
  )
}

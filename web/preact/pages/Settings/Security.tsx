import type { PageComponentProps, User } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { shownRecoveryCodes } from '../../../contract/view/shown-secrets.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { passkeys as passkeyWords } from '#words/settings/passkeys'
import { security } from '#words/settings/security'
import { tokens as tokenWords } from '#words/settings/tokens'
import { twoFactor as twoFactorWords } from '#words/settings/two-factor'
import { AccountName } from '../../ui/account-name.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Logins } from '../../ui/security/logins.tsx'
import { NewPassword } from '../../ui/auth/new-password.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Passkeys } from '../../ui/security/passkeys.tsx'
import { SecuritySummary } from '../../ui/security/security-summary.tsx'
import { TwoFactor } from '../../ui/security/two-factor.tsx'

type Props = PageComponentProps<'Settings/Security'>

/** A summary, and the sections it links to. */
export function Security({ auth, errors, flash, old, ...props }: Props) {
  const { logins, moreLogins, passkeys, twoFactor, apiTokens, signal } = props
  const { email, password } = auth.user
  return (
    <>
      <h1>{security.heading}</h1>
      <SecuritySummary user={auth.user} {...props} />
      <Panel
        id="two-factor"
        heading={twoFactorWords.heading}
        lead={password ? twoFactorWords.lead : twoFactorWords.leadNoPassword}
      >
        <TwoFactor
          state={twoFactor}
          hasPassword={password}
          email={email}
          recoveryCodes={shownRecoveryCodes(props, flash)}
          errors={errors}
        />
      </Panel>
      <Panel
        id="passkeys"
        heading={passkeyWords.heading}
        lead={passkeyWords.lead}
        signal={signal ?? undefined}
      >
        <Passkeys passkeys={passkeys} hasPassword={password} errors={errors} old={old} />
      </Panel>
      <PasswordPanel user={auth.user} errors={errors} />
      {password && passkeys.length > 0 && <RemovePassword />}
      <Panel
        id="logins"
        heading={security.logins}
        lead={password ? security.loginsText : security.loginsTextNoPassword}
      >
        <Logins logins={logins} hasMore={moreLogins} />
      </Panel>
      <Panel id="api-tokens" heading={tokenWords.heading} lead={tokenWords.lead}>
        <p class="panel-ways">
          <span>{tokenWords.count(apiTokens)}</span>
          <a href={paths['tokens.index']}>{tokenWords.see}</a>
        </p>
      </Panel>
    </>
  )
}

function PasswordPanel({ user, errors }: { user: User } & Pick<Props, 'errors'>) {
  const [heading, lead] = user.password
    ? [security.change, security.changeText]
    : [security.set, security.setText]
  const submit = user.password ? buttons.save : buttons.setPassword
  return (
    <Panel id="password-panel" heading={heading} lead={lead}>
      <Form action={paths['user-password.update']} method="PUT" submit={submit} validate>
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
      <FormDialog
        id="remove-password"
        opener={security.removeButton}
        quiet
        variant="danger"
        heading={security.removeSure}
        text={security.removeSureText}
        action={paths['user-password.destroy']}
        method="DELETE"
        submit={security.removeButton}
        cancel={security.removeKeep}
      />
    </Panel>
  )
}

import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import type { TwoFactor as State, TwoFactorSetup } from '../../../contract/two-factor.ts'
import { secretGroups, type shownRecoveryCodes } from '../../../contract/view/shown-secrets.ts'
import { buttons } from '#words/buttons'
import { twoFactor as words } from '#words/settings/two-factor'
import { FormDialog } from '../form-dialog.tsx'
import { CodeField } from '../code-field.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Form } from '../form.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface TwoFactorProps {
  readonly state: State
  readonly hasPassword: boolean
  readonly email: string
  readonly recoveryCodes: ReturnType<typeof shownRecoveryCodes>
  readonly errors: PageProps<'Settings/Security'>['errors']
}

/** Two-factor login: off, being set up, or on with its recovery codes. */
export function TwoFactor(props: TwoFactorProps) {
  const { state, hasPassword, errors } = props
  if (state.enabled) return <TwoFactorOn {...props} />
  if (state.setup) return <TwoFactorSetUp setup={state.setup} errors={errors} />
  return (
    <Form
      action={paths['two-factor.enable']}
      submit={buttons.turnOnTwoFactor}
      variant={hasPassword ? 'primary' : 'plain'}
    />
  )
}

function TwoFactorSetUp({
  setup,
  errors,
}: Pick<TwoFactorProps, 'errors'> & { setup: TwoFactorSetup }) {
  return (
    <>
      <ol class="steps">
        <li>
          <h3>{words.scan}</h3>
          <p class="hint">{words.scanText}</p>
          <div class="scan">
            <QrCode code={setup.qrCode} label={words.qr} />
            <div>
              <p>{words.typed}</p>
              <p id="secret" class="secret" data-text={setup.secret}>
                {secretGroups(setup.secret).map((group, at) => (
                  <span key={at}>{group}</span>
                ))}
              </p>
              <CopyButton of="secret">{words.copyKey}</CopyButton>
              <p>
                <a href={setup.url}>{words.open}</a>
              </p>
            </div>
          </div>
        </li>
        <li>
          <h3>{words.confirm}</h3>
          <Form action={paths['two-factor.confirm']} submit={buttons.confirm}>
            <input type="hidden" name="setup_token" value={setup.secret} />
            <CodeField autoSubmitHint={words.codeSent} errors={errors} />
          </Form>
        </li>
      </ol>
      <Form
        action={paths['two-factor.disable']}
        method="DELETE"
        submit={words.giveUp}
        variant="plain"
      >
        <input type="hidden" name="setup" value="cancel" />
      </Form>
    </>
  )
}

function TwoFactorOn({ hasPassword, email, recoveryCodes }: TwoFactorProps) {
  return (
    <>
      <p class="badge sign" data-kind="success">
        {words.on}
      </p>
      <RecoveryCodes email={email} {...recoveryCodes} />
      <FormDialog
        id="turn-off"
        opener={buttons.turnOffTwoFactor}
        variant="danger"
        heading={words.sure}
        text={hasPassword ? words.sureText : words.sureTextNoPassword}
        action={paths['two-factor.disable']}
        method="DELETE"
        submit={buttons.turnOffTwoFactor}
        cancel={words.keep}
      />
    </>
  )
}

import type { PageProps, TwoFactor as State } from '../../contract/pages.ts'
import { path } from '../../contract/paths.ts'
import { buttons } from '../../contract/words.ts'
import { twoFactor as words } from '../../contract/words/two-factor.ts'
import { Ask } from './ask.tsx'
import { CodeField } from './code-field.tsx'
import { CopyButton } from './copy-button.tsx'
import { Form } from './form.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface TwoFactorProps {
  readonly state: State
  readonly email: string
  /** The codes, while they are shown. */
  readonly codes: readonly string[] | undefined
  readonly errors: PageProps<'Settings/Security'>['errors']
}

/** Two-factor login: off, being set up, or on with its recovery codes. */
export function TwoFactor({ state, email, codes, errors }: TwoFactorProps) {
  if (state.enabled) return <On left={state.codesLeft ?? 0} email={email} codes={codes} />
  if (state.setup) return <SetUp setup={state.setup} errors={errors} />
  return <Form action={path('two-factor.enable')} submit={buttons.turnOnTwoFactor} />
}

function SetUp({
  setup,
  errors,
}: Pick<TwoFactorProps, 'errors'> & { setup: NonNullable<State['setup']> }) {
  return (
    <>
      <ol class="steps">
        <li>
          <h3>{words.scan}</h3>
          <p class="hint">{words.scanText}</p>
          <div class="scan">
            <QrCode svg={setup.qr} label={words.qr} />
            <div>
              <p>{words.typed}</p>
              <p id="secret" class="secret" data-text={setup.secret}>
                {groupsOf(setup.secret).map((group, at) => (
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
          <Form action={path('two-factor.confirm')} submit={buttons.confirm}>
            <CodeField errors={errors} />
          </Form>
        </li>
      </ol>
      <Form action={path('two-factor.disable')} method="DELETE" submit={words.giveUp} kind="plain">
        <input type="hidden" name="setup" value="cancel" />
      </Form>
    </>
  )
}

/** Of four letters each, as they are read and typed. */
function groupsOf(secret: string): readonly string[] {
  return secret.match(/.{1,4}/g) ?? []
}

function On({ left, email, codes }: Pick<TwoFactorProps, 'email' | 'codes'> & { left: number }) {
  return (
    <>
      <p class="badge sign" data-kind="success">
        {words.on}
      </p>
      <RecoveryCodes left={left} email={email} codes={codes} />
      <Ask
        id="turn-off"
        opener={buttons.turnOffTwoFactor}
        kind="danger"
        heading={words.sure}
        text={words.sureText}
        action={path('two-factor.disable')}
        method="DELETE"
        submit={buttons.turnOffTwoFactor}
        keep={words.keep}
      />
    </>
  )
}

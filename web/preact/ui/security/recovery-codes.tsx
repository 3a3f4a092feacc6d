import { fewCodes } from '../../../contract/limits.ts'
import { brandName } from '../../../brand/brand.ts'
import { appName } from '../../../contract/name.ts'
import { paths } from '../../../contract/paths.ts'
import type { shownRecoveryCodes } from '../../../contract/view/shown-secrets.ts'
import { buttons } from '#words/buttons'
import { twoFactor as words } from '#words/settings/two-factor'
import { CopyButton } from '../copy-button.tsx'
import { Form } from '../form.tsx'

interface RecoveryCodesProps extends ReturnType<typeof shownRecoveryCodes> {
  readonly email: string
}

/** How many recovery codes are left, the codes while they are shown, and a form to make new ones. */
export function RecoveryCodes({ left, email, codes, areSaved }: RecoveryCodesProps) {
  return (
    <div class="recovery">
      <h3>{words.codes}</h3>
      <p class="hint">{words.codesText}</p>
      {left > fewCodes ? <p>{words.left(left)}</p> : <Warning>{words.few(left)}</Warning>}
      {left > fewCodes && !areSaved && <Warning>{words.notSaved}</Warning>}
      {codes && <CodeList codes={codes} email={email} />}
      <div class="ways">
        {codes && !areSaved && (
          <Form action={paths['two-factor.recovery-codes.saved']} submit={words.saved}>
            <input type="hidden" name="codes" value={codes.join(' ')} />
          </Form>
        )}
        {!codes && left > 0 && (
          <button class="button" type="button" data-reload="recoveryCodes twoFactor">
            {buttons.showRecoveryCodes}
          </button>
        )}
        <Form
          action={paths['two-factor.recovery-codes']}
          submit={buttons.newRecoveryCodes}
          variant="plain"
        />
      </div>
    </div>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <p class="sign" data-kind="error">
      {children}
    </p>
  )
}

/** The codes. In print they say whose they are. */
function CodeList({ codes, email }: { codes: readonly string[]; email: string }) {
  return (
    <div class="codes">
      <p class="on-paper">
        {brandName}: {words.of(email)}
      </p>
      <ol id="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="ways">
        <CopyButton of="recovery-codes">{words.copy}</CopyButton>
        <button
          class="button"
          type="button"
          data-download="recovery-codes"
          data-name={`${appName}-recovery-codes.txt`}
        >
          {words.download}
        </button>
        <button class="button" type="button" data-print="">
          {words.print}
        </button>
      </div>
      <p class="hint with-script">{words.shownNow}</p>
      <p class="hint without-script">{words.shownOnce}</p>
    </div>
  )
}

import { longestName, mostPasskeys } from '../../../contract/limits.ts'
import type { Passkey, SharedProps } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { renameField } from '../../../contract/rename-field.ts'
import { key } from '../../../contract/view/icons.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { passkeys as words } from '#words/settings/passkeys'
import { FormDialog } from '../form-dialog.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Field } from '../field.tsx'
import { HiddenFields } from '../hidden-fields.tsx'
import { Icon } from '../icon.tsx'
import { PasskeyButton } from '../auth/passkey-button.tsx'
import { ButtonText } from '../button-text.tsx'
import { RelativeTime } from '../times.tsx'

type FormState = Pick<SharedProps, 'errors' | 'old'>

interface PasskeysProps extends FormState {
  readonly passkeys: readonly Passkey[]
  readonly hasPassword: boolean
}

interface PasskeyRowProps extends FormState {
  readonly passkey: Passkey
}

/** The passkeys of an account, with controls to rename, remove and add them. */
export function Passkeys({ passkeys, hasPassword, errors, old }: PasskeysProps) {
  return (
    <>
      {passkeys.length === 0 ? (
        <EmptyState icon={key} heading={words.none} text={words.noneText} isInPanel />
      ) : (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id} class="row">
              <PasskeyRow passkey={passkey} errors={errors} old={old} />
            </li>
          ))}
        </ul>
      )}
      {passkeys.length === 1 && !hasPassword && <p class="hint">{words.onlyWay}</p>}
      {passkeys.length < mostPasskeys ? (
        <AddPasskey errors={errors} old={old} />
      ) : (
        <p class="hint">{words.full}</p>
      )}
    </>
  )
}

function PasskeyRow({ passkey, errors, old }: PasskeyRowProps) {
  const { id, name, provider, synced, createdAt, lastUsedAt } = passkey
  return (
    <>
      <Icon path={key} class="row-icon" />
      <div class="row-text">
        <div class="parts">
          <strong class="clamp" dir="auto">
            {name}
          </strong>
          <span class="tag">{synced ? words.synced : words.notSynced}</span>
        </div>
        <p class="hint parts">
          {provider && <span>{provider}</span>}
          <span>
            <RelativeTime at={createdAt} sentence={words.made} />
          </span>
          {lastUsedAt === null ? (
            <span>{words.unused}</span>
          ) : (
            <span>
              <RelativeTime at={lastUsedAt} sentence={words.used} />
            </span>
          )}
        </p>
      </div>
      <div class="row-ways">
        <RenamePasskey id={id} name={name} errors={errors} old={old} />
        <RemovePasskey id={id} name={name} />
      </div>
    </>
  )
}

function RenamePasskey({ id, name, errors, old }: Pick<Passkey, 'id' | 'name'> & FormState) {
  const field = renameField(id)
  return (
    <FormDialog
      id={`rename-${id}`}
      opener={<ButtonText name={name}>{words.rename}</ButtonText>}
      variant="primary"
      heading={words.renameHeading}
      action={pathOf(paths['passkeys.update'], { id })}
      method="PATCH"
      submit={buttons.save}
      cancel={words.keepName}
      failed={field in errors}
    >
      <Field
        name={field}
        label={labels.name}
        autocomplete="off"
        errors={errors}
        old={{ [field]: name, ...old }}
        input={{ maxLength: longestName }}
      />
    </FormDialog>
  )
}

function RemovePasskey({ id, name }: Pick<Passkey, 'id' | 'name'>) {
  return (
    <FormDialog
      id={`remove-${id}`}
      opener={<ButtonText name={name}>{buttons.remove}</ButtonText>}
      quiet
      variant="danger"
      heading={words.remove(name)}
      text={words.removeText}
      action={pathOf(paths['passkeys.destroy'], { id })}
      method="DELETE"
      submit={buttons.remove}
      cancel={words.keep}
    />
  )
}

function AddPasskey({ errors, old }: FormState) {
  return (
    <>
      <form class="form passkey" method="post" action={paths['passkeys.store']} noValidate>
        <HiddenFields />
        <Field
          name="name"
          label={words.name}
          autocomplete="off"
          hint={words.nameHint}
          errors={errors}
          old={old}
          input={{ required: false, maxLength: longestName }}
        />
        <PasskeyButton ceremony="create" options={paths['passkeys.options']} errors={errors}>
          {buttons.addPasskey}
        </PasskeyButton>
      </form>
      <p class="hint unable">{words.unable}</p>
    </>
  )
}

import { longestName, mostPasskeys } from '../../../contract/limits.ts'
import type { Passkey, SharedProps } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { key } from '../../../contract/view/icons.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { passkeys as words } from '#words/passkeys'
import { Ask } from '../ask.tsx'
import { Empty } from '../empty.tsx'
import { Field } from '../field.tsx'
import { HiddenFields } from '../hidden-fields.tsx'
import { Icon } from '../icon.tsx'
import { PasskeyButton } from '../auth/passkey-button.tsx'
import { OfWhat } from '../of-what.tsx'
import { When } from '../when.tsx'

interface PasskeysProps {
  readonly passkeys: readonly Passkey[]
  readonly hasPassword: boolean
  readonly errors: SharedProps['errors']
  readonly old: SharedProps['old']
}

/** The passkeys of an account, with controls to rename, remove and add them. */
export function Passkeys({ passkeys, hasPassword, errors, old }: PasskeysProps) {
  return (
    <>
      {passkeys.length === 0 ? (
        <Empty icon={key} heading={words.none} text={words.noneText} inside />
      ) : (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id} class="row">
              <Row passkey={passkey} />
            </li>
          ))}
        </ul>
      )}
      {passkeys.length === 1 && !hasPassword && <p class="hint">{words.onlyWay}</p>}
      {passkeys.length < mostPasskeys ? (
        <Add errors={errors} old={old} />
      ) : (
        <p class="hint">{words.full}</p>
      )}
    </>
  )
}

function Row({ passkey }: { passkey: Passkey }) {
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
            <When at={createdAt} says={words.made} />
          </span>
          {lastUsedAt === null ? (
            <span>{words.unused}</span>
          ) : (
            <span>
              <When at={lastUsedAt} says={words.used} />
            </span>
          )}
        </p>
      </div>
      <div class="row-ways">
        <Rename id={id} name={name} />
        <Remove id={id} name={name} />
      </div>
    </>
  )
}

// Validated by the browser: all of these forms would show the page's single `name` error.
function Rename({ id, name }: Pick<Passkey, 'id' | 'name'>) {
  return (
    <Ask
      id={`rename-${id}`}
      opener={<OfWhat name={name}>{words.rename}</OfWhat>}
      variant="primary"
      heading={words.renameHeading}
      action={pathOf(paths['passkeys.update'], { id })}
      method="PATCH"
      submit={buttons.save}
      keep={words.keepName}
      checked
    >
      <Field
        name="name"
        id={`name-${id}`}
        label={labels.name}
        autocomplete="off"
        errors={{}}
        old={{ name }}
        input={{ maxLength: longestName, pattern: '.*\\S.*', title: words.nameMissing }}
      />
    </Ask>
  )
}

function Remove({ id, name }: Pick<Passkey, 'id' | 'name'>) {
  return (
    <Ask
      id={`remove-${id}`}
      opener={<OfWhat name={name}>{buttons.remove}</OfWhat>}
      quiet
      variant="danger"
      heading={words.remove(name)}
      text={words.removeText}
      action={pathOf(paths['passkeys.destroy'], { id })}
      method="DELETE"
      submit={buttons.remove}
      keep={words.keep}
    />
  )
}

function Add({ errors, old }: Pick<PasskeysProps, 'errors' | 'old'>) {
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

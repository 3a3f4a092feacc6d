import { longestName } from '../../../contract/limits.ts'
import type { PageComponentProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { abilityChoices, expiryChoices, shortestExpiry } from '../../../contract/view/choices.ts'
import { shownToken } from '../../../contract/view/shown-secrets.ts'
import { program } from '../../../contract/view/icons.ts'
import { labels } from '#words/labels'
import { tokens as words } from '#words/settings/tokens'
import { Choices } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TokenList } from '../../ui/tokens/token-list.tsx'
import { untranslated } from '../../ui/untranslated.ts'

type Props = PageComponentProps<'Settings/Tokens'>

export function Tokens({ tokens, expired, flash, tryAt, ...form }: Props) {
  return (
    <>
      <h1>{words.heading}</h1>
      <p class="lead">{words.lead}</p>
      <Panel id="make" heading={words.make}>
        <MakeToken {...form} newToken={shownToken(tokens, flash)} />
      </Panel>
      <Panel id="tokens" heading={words.list}>
        {tokens.length === 0 ? (
          <EmptyState icon={program} heading={words.none} text={words.noneText} isInPanel />
        ) : (
          <TokenList tokens={tokens} expired={expired} />
        )}
      </Panel>
      <Panel id="try" heading={words.try} lead={words.tryText}>
        <ExampleCall url={tryAt} />
        <p class="panel-ways">
          <a href={paths['api.openapi']} data-native="">
            {words.describe}
          </a>
        </p>
      </Panel>
    </>
  )
}

interface MakeTokenProps extends Pick<Props, 'abilities' | 'errors' | 'old'> {
  /** The token that was just made. */
  readonly newToken: string | undefined
}

function MakeToken({ abilities, errors, old, newToken }: MakeTokenProps) {
  return (
    <Form
      action={paths['tokens.store']}
      submit={words.create}
      validate
      other={newToken && <NewToken key={newToken} token={newToken} />}
    >
      <Field
        name="name"
        label={labels.name}
        autocomplete="off"
        hint={words.name}
        errors={errors}
        old={old}
        input={{ maxLength: longestName }}
      />
      <Choices
        name="abilities"
        type="checkbox"
        legend={words.abilities}
        choices={abilityChoices(abilities)}
        chosen={old?.abilities?.split(' ') ?? []}
        errors={errors}
      />
      <Choices
        name="expiry"
        type="radio"
        legend={words.expiry}
        choices={expiryChoices}
        chosen={[old?.expiry ?? shortestExpiry]}
        errors={errors}
      />
    </Form>
  )
}

/** After the button, where the person is; first without scripts, as the page opens at its top. */
function NewToken({ token }: { token: string }) {
  return (
    <div class="new-token" data-arrived="">
      <h3>{words.made}</h3>
      <p class="hint">{words.madeText}</p>
      <code id="new-token" {...untranslated}>
        {token}
      </code>
      <CopyButton of="new-token">{words.copy}</CopyButton>
    </div>
  )
}

/** The call contains no token: shells keep a history of commands. */
function ExampleCall({ url }: { url: string }) {
  return (
    <div class="call">
      <code id="call" {...untranslated}>
        {words.call(url)}
      </code>
      <CopyButton of="call">{words.copyCall}</CopyButton>
    </div>
  )
}

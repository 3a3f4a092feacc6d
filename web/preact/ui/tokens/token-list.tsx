import type { ApiToken } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { tokens as words } from '#words/settings/tokens'
import { FormDialog } from '../form-dialog.tsx'
import { ButtonText } from '../button-text.tsx'
import { Day, RelativeTime } from '../times.tsx'

interface TokenListProps {
  readonly tokens: readonly ApiToken[]
  /** The IDs of the tokens that have expired. */
  readonly expired: readonly number[]
}

/** The API tokens of an account, each with a form to revoke it. */
export function TokenList({ tokens, expired }: TokenListProps) {
  return (
    <ul class="rows">
      {tokens.map((token) => (
        <li key={token.id} class="row">
          <TokenRow token={token} isExpired={expired.includes(token.id)} />
          <RevokeToken id={token.id} name={token.name} />
        </li>
      ))}
    </ul>
  )
}

function TokenRow({ token, isExpired }: { token: ApiToken; isExpired: boolean }) {
  const { name, abilities, expiresAt, lastUsedAt, createdAt } = token
  return (
    <div class="row-text">
      <div class="parts">
        <strong class="clamp" dir="auto">
          {name}
        </strong>
        {abilities.map((ability) => (
          <code key={ability} class="tag">
            {words.ability(ability)}
          </code>
        ))}
        {isExpired && <span class="tag over">{words.expired}</span>}
      </div>
      <p class="hint parts">
        <span>
          <RelativeTime at={createdAt} sentence={words.created} />
        </span>
        <span>
          {lastUsedAt === null ? (
            words.unused
          ) : (
            <RelativeTime at={lastUsedAt} sentence={words.used} />
          )}
        </span>
        <span>
          {expiresAt === null ? (
            words.neverExpires
          ) : (
            <Day at={expiresAt} sentence={isExpired ? words.expiredOn : words.expires} />
          )}
        </span>
      </p>
    </div>
  )
}

function RevokeToken({ id, name }: Pick<ApiToken, 'id' | 'name'>) {
  return (
    <div class="row-ways">
      <FormDialog
        id={`revoke-${id}`}
        opener={<ButtonText name={name}>{words.revoke}</ButtonText>}
        quiet
        variant="danger"
        heading={words.sure(name)}
        text={words.sureText}
        action={pathOf(paths['tokens.destroy'], { id })}
        method="DELETE"
        submit={words.revoke}
        cancel={words.keep}
      />
    </div>
  )
}

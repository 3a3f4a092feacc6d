import type { ApiToken } from '../../../contract/pages.ts'
import { pathOf, paths } from '../../../contract/paths.ts'
import { tokens as words } from '#words/tokens'
import { Ask } from '../ask.tsx'
import { OfWhat } from '../of-what.tsx'
import { Day, When } from '../when.tsx'

interface TokensProps {
  readonly tokens: readonly ApiToken[]
  /** The IDs of the tokens that have expired. */
  readonly expired: readonly number[]
}

/** The API tokens of an account, each with a form to revoke it. */
export function TokenList({ tokens, expired }: TokensProps) {
  return (
    <ul class="rows">
      {tokens.map((token) => (
        <li key={token.id} class="row">
          <Row token={token} isExpired={expired.includes(token.id)} />
          <Revoke id={token.id} name={token.name} />
        </li>
      ))}
    </ul>
  )
}

function Row({ token, isExpired }: { token: ApiToken; isExpired: boolean }) {
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
          <When at={createdAt} says={words.created} />
        </span>
        <span>
          {lastUsedAt === null ? words.unused : <When at={lastUsedAt} says={words.used} />}
        </span>
        <span>
          {expiresAt === null ? (
            words.neverExpires
          ) : (
            <Day at={expiresAt} says={isExpired ? words.expiredOn : words.expires} />
          )}
        </span>
      </p>
    </div>
  )
}

function Revoke({ id, name }: Pick<ApiToken, 'id' | 'name'>) {
  return (
    <div class="row-ways">
      <Ask
        id={`revoke-${id}`}
        opener={<OfWhat name={name}>{words.revoke}</OfWhat>}
        quiet
        variant="danger"
        heading={words.sure(name)}
        text={words.sureText}
        action={pathOf(paths['tokens.destroy'], { id })}
        method="DELETE"
        submit={words.revoke}
        keep={words.keep}
      />
    </div>
  )
}

import type { answerOf } from './credentials.ts'
import type { Client } from '../core/client-api.ts'

/** What ceremony and autofill receive: a module that both import would be one more file to load. */
export interface PasskeyClient extends Client {
  readonly post: typeof post
  readonly answerOf: typeof answerOf
}

/** The server's answer to JSON that it refuses (contract: Page protocol). */
export interface Refused {
  readonly result: 'refused'
  readonly message: string
  /** A message for each invalid field. */
  readonly errors?: Readonly<Record<string, string>>
}

export type Answer = {
  /** The passkey that was made or used, if no account has it. */
  readonly unknownCredential?: UnknownCredentialOptions
} & (
  | { readonly result: 'taken'; readonly value: unknown }
  /** A redirect, also by a guard: whoever has logged in meanwhile is not asked for a passkey. */
  | { readonly result: 'leads'; readonly to: string }
  | Refused
  /** The page is being left. */
  | { readonly result: 'stopped' }
)

type Needed = 'transfer' | 'shownTo' | 'randomText' | 'words'

/** Posts JSON outside the page protocol. Never throws. */
export async function post(
  { transfer, shownTo, randomText, words }: Pick<Client, Needed>,
  url: string,
  { value = {}, signal }: { readonly value?: unknown; readonly signal?: AbortSignal },
): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Page-Press': randomText(),
    ...shownTo(),
  }
  const body = JSON.stringify(value)
  const answer = await transfer({ method: 'POST', url, headers, body, signal })
  if (answer === 'stopped') return { result: 'stopped' }
  if (answer === 'gone') return { result: 'refused', message: words.gone }
  const { status, responseText } = answer
  try {
    const value = JSON.parse(responseText) as Answer & Refused & { readonly redirect?: string }
    if (value.redirect) return { ...value, result: 'leads', to: value.redirect }
    return status === 200 ? { result: 'taken', value } : { ...value, result: 'refused' }
  } catch {
    // Something between us and the server has answered.
    return { result: 'refused', message: words.notAPage }
  }
}

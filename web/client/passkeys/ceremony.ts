import { answerOf, type Kind, type Made } from './credentials.ts'
import { type PasskeyClient, post, type Refused } from './exchange.ts'
import { failureOf } from './failures.ts'
import type { Client } from '../core/client-api.ts'
import type { FormRequest } from '../core/form-request.ts'

/** A `data-passkey` button that was pressed. */
export interface Pressed {
  readonly form: HTMLFormElement
  readonly order: FormRequest
  readonly button: HTMLElement
  readonly stop: AbortController
}

interface Asked extends Pressed {
  /** A passkey that the person has chosen already. */
  readonly chosen: unknown
  readonly signal: AbortSignal
}

/** Has a passkey made or used, sends the form with it, and shows where that leads or what is the matter. Whether it was sent. */
export async function run(core: Client, asked: Asked): Promise<boolean> {
  const client = withPasskeys(core)
  await tell(client, {})
  const credential = asked.chosen ?? (await made(client, asked))
  if (credential === undefined) return false
  await deliver(client, asked, credential)
  return true
}

/** What asks server and browser: autofill is handed it too, and what both import would be one more file to wait for. */
export function withPasskeys(client: Client): PasskeyClient {
  return { ...client, post, answerOf }
}

/** The answer of the browser; undefined when there is none, which the person has been told. */
async function made(client: PasskeyClient, { button, signal }: Asked): Promise<unknown> {
  const { withProgress, inTurn, post, present } = client
  const { passkey, options = '' } = button.dataset
  const asking = AbortSignal.any([signal, present()])
  const given = await withProgress(() => inTurn(() => post(client, options, { signal: asking })))
  if (signal.aborted || given.result === 'stopped') return undefined
  if (given.result === 'leads') return client.visit(given.to).then(() => undefined)
  if (given.result === 'refused') return turnDown(client, given)
  const answer = await making(passkey as Kind, () =>
    client.answerOf(passkey as Kind, given.value, { signal }),
  )
  if (answer.result === 'made') return answer.credential
  if (answer.result === 'failed') await tell(client, { credential: failureOf(answer.error) })
  return undefined
}

let beingMade = 0

/**
 * Notes, for `signals.ts`, that a passkey is being made, and then which: the browser has it before the server does, and would
 * take it away by a list of those that are good.
 */
async function making(kind: Kind, ask: () => Promise<Made>): Promise<Made> {
  if (kind === 'get') return ask()
  const { dataset } = document.documentElement
  beingMade++
  dataset.making = ''
  const answer = await ask()
  beingMade--
  if (answer.result === 'made') dataset.making = (answer.credential as { id: string }).id
  else if (beingMade === 0) delete dataset.making
  return answer
}

async function deliver(
  client: PasskeyClient,
  { form, order: { action, fields } }: Asked,
  credential: unknown,
): Promise<void> {
  // A passkey takes the place of a password, which might be asked for in the same form.
  for (const { name } of form.querySelectorAll<HTMLInputElement>('[type=password]'))
    fields.delete(name)
  const value = { ...Object.fromEntries(fields), credential }
  const { withProgress, inTurn, post, visit } = client
  let next: Promise<void> | undefined
  await withProgress(() =>
    inTurn(async () => {
      const answer = await post(client, action.href, { value })
      // It waits for this turn by itself, and nothing comes between: what comes takes the flash.
      // The form of a page's own address has the part after `#` go with it.
      const { hash } = form.hasAttribute('action') ? action : location
      if (answer.result === 'leads') next = visit(answer.to + hash, { form })
      else if (answer.result === 'refused') {
        delete document.documentElement.dataset.making
        next = turnDown(client, answer)
      }
    }),
  )
  await next
}

async function turnDown(client: PasskeyClient, refused: Refused): Promise<undefined> {
  const { message, errors, unknownCredential } = refused
  if (unknownCredential)
    // Where it cannot be had the browser offers the passkey still, and the person is told below that it is none.
    await import('./signals.ts').then(
      ({ signalUnknown }) => signalUnknown(unknownCredential),
      () => {},
    )
  await tell(client, errors ?? { credential: message })
}

/** Shows what is the matter; with the passkey itself where the person is, at its button. */
async function tell({ show, shown }: Client, errors: Readonly<Record<string, string>>) {
  const page = shown()
  const at = Object.keys(errors).some((field) => field !== 'credential') ? 'error' : 'stay'
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at })
}

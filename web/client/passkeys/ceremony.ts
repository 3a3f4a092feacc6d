import { answerOf, type Ceremony, type Made } from './credentials.ts'
import { type PasskeyClient, post, type Refused } from './exchange.ts'
import { failureOf } from './failures.ts'
import type { Client } from '../core/client-api.ts'
import type { PageName } from '../../contract/pages.ts'
import type { FormRequest } from '../core/forms/form-request.ts'

/** A pressed `data-passkey` button. */
export interface Pressed {
  readonly form: HTMLFormElement
  readonly order: FormRequest
  readonly button: HTMLElement
  readonly stop: AbortController
}

interface PasskeyRequest extends Pressed {
  /** A passkey that the person has chosen already, in the autofill. */
  readonly chosen: unknown
  readonly signal: AbortSignal
}

/** Runs a ceremony, sends its form, and shows the next page or the errors. Returns whether it was sent. */
export async function run(core: Client, request: PasskeyRequest): Promise<boolean> {
  // The dialog was closed while this module was loading.
  if (request.form.closest('dialog:not([open])')) return false
  const client = withPasskeys(core)
  await tell(client, {})
  const credential = request.chosen ?? (await obtainCredential(client, request))
  if (credential === undefined) return false
  await deliver(client, request, credential)
  return true
}

/** Adds functions that call server and browser. Autofill gets them too: a shared module is one more file. */
export function withPasskeys(client: Client): PasskeyClient {
  return { ...client, post, answerOf }
}

/** Returns the browser's answer; undefined if there is none: the person was told why, or has cancelled. */
async function obtainCredential(
  client: PasskeyClient,
  { button, signal }: PasskeyRequest,
): Promise<unknown> {
  const { withProgress, inTurn, post, present } = client
  const { passkey, options = '' } = button.dataset
  const asking = AbortSignal.any([signal, present()])
  const optionsAnswer = await withProgress(() =>
    inTurn(() => post(client, options, { signal: asking })),
  )
  if (signal.aborted || optionsAnswer.result === 'stopped') return undefined
  if (optionsAnswer.result === 'leads') return client.visit(optionsAnswer.to).then(() => undefined)
  if (optionsAnswer.result === 'refused')
    return turnDown(client, optionsAnswer, client.shown().component)
  const answer = await noteMaking(passkey as Ceremony, () =>
    client.answerOf(passkey as Ceremony, optionsAnswer.value, { signal }),
  )
  if (answer.result === 'made') return answer.credential
  if (answer.result === 'failed') await tell(client, { credential: failureOf(answer.error) })
  return undefined
}

let beingMade = 0

/**
 * Marks, for `signals.ts`, that a passkey is being made, and then its ID. The browser has the new passkey
 * before the server does, and would remove it if signalled a list without it.
 */
async function noteMaking(ceremony: Ceremony, ask: () => Promise<Made>): Promise<Made> {
  if (ceremony === 'get') return ask()
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
  { form, order: { action, fields } }: PasskeyRequest,
  credential: unknown,
): Promise<void> {
  // A passkey replaces the password, for which the same form may have a field.
  for (const { name } of form.querySelectorAll<HTMLInputElement>('[type=password]'))
    fields.delete(name)
  const value = { ...Object.fromEntries(fields), credential }
  const { withProgress, inTurn, post, visit, shown } = client
  const { component } = shown()
  let next: Promise<void> | undefined
  await withProgress(() =>
    inTurn(async () => {
      const answer = await post(client, action.href, { value })
      if (answer.unknownCredential) forget(answer.unknownCredential)
      // Started within this turn, which the visit waits for: another request in between would consume the
      // flash. A form without `action` goes to the page's own address, including its fragment.
      const { hash } = form.hasAttribute('action') ? action : location
      if (answer.result === 'leads') next = visit(answer.to + hash, { form })
      else if (answer.result === 'refused') {
        delete document.documentElement.dataset.making
        next = turnDown(client, answer, component)
      }
    }),
  )
  await next
}

/** Tells the browser about a passkey that no account has: also a new one, which the server has refused. */
function forget(unknown: UnknownCredentialOptions): void {
  delete document.documentElement.dataset.making
  // Not awaited. If the module fails to load, the browser keeps offering the passkey.
  import('./signals.ts').then(
    ({ signalUnknown }) => signalUnknown(unknown),
    () => {},
  )
}

/** Shows why the server refused; in a toast if the person has left the page of that component. */
async function turnDown(
  client: PasskeyClient,
  refused: Refused,
  component: PageName,
): Promise<undefined> {
  const { message, errors } = refused
  if (client.shown().component === component)
    return tell(client, errors ?? { credential: message }).then(() => undefined)
  client.toast('error', Object.values(errors ?? {})[0] ?? message)
  return undefined
}

/** Shows errors. One of the passkey alone appears at the pressed button: nothing is scrolled then. */
async function tell({ show, shown }: Client, errors: Readonly<Record<string, string>>) {
  const page = shown()
  const at = Object.keys(errors).some((field) => field !== 'credential') ? 'error' : 'stay'
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at })
}

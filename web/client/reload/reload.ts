import { layout } from '#words/layout'
import type { Page } from '../../contract/pages.ts'
import type { Client, Reload } from '../core/client-api.ts'
import { mergeReload, showsOnce } from './keep-in-place.ts'

/**
 * Asks for the shown page anew, or for some of its props; what is typed and its errors stay. Waits while
 * another request is in flight, so that a flash is not shown twice (spec: Frontend). For a whole page nobody asked:
 * it says so, and what is no answer to it changes nothing; to whoever asked for a part that is told. Of another build the
 * page is not loaded by itself as long as that would lose something: the next event asks once more, and so does the person.
 * What stops it is waited for, too: it may be given up itself, or show a page from history. Unless it shows one that was
 * answered since, a whole page is asked for then. Resolves with whether the service has answered, as far as it was waited for.
 */
export async function reload(client: Client, how: Reload): Promise<boolean> {
  await settled(client)
  // What was answered until now may be from before that which it is asked for.
  const since = Date.now()
  const signal = client.present()
  const isServed = await askOnce(client, how, signal)
  if (!signal.aborted || how.only) return isServed
  await settled(client)
  const isOwed = !client.isLoading() && isFromBefore(client, since)
  return isOwed ? reload(client, how) : isServed
}

/** Whether the shown page was answered before a time; that of a document was before anything that the client saw. */
export function isFromBefore({ shown }: Client, time: number): boolean {
  return (shown().answered ?? 0) < time
}

async function settled({ underWay }: Client): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

async function askOnce(
  client: Client,
  { only = [], isUrgent }: Reload,
  signal: AbortSignal,
): Promise<boolean> {
  const { url, component } = client.shown()
  const isPartial = only.length > 0
  if (isPartial) client.stayHere()
  let [leads, isServed] = [false, true]
  await client.during(async () => {
    const outcome = await askAnew(client, { signal, only })
    if (signal.aborted || outcome.result === 'stopped') return
    if (outcome.result === 'elsewhere') {
      const stays = !isPartial && !isUrgent && isAtStake(client)
      return stays ? undefined : client.take(outcome, url, {})
    }
    if (outcome.result !== 'page' || isFault(outcome.page)) {
      isServed = false
      // What somebody has logged out of is not to be seen, whatever can be had in its place.
      if (isUrgent) return client.unanswered.page(undefined, true)
      // Only of a part did a person ask.
      if (!isPartial) return
      if (outcome.result === 'gone') return client.unanswered.press()
      return client.toast('error', client.words.notAPage)
    }
    leads = outcome.page.component !== component
    if (leads) return
    const merged = mergeReload(client.shown(), outcome.page, isPartial)
    const place = { entry: 'replace', at: 'stay', hash: location.hash } as const
    const before = client.shown().props.bell.unread
    await client.showAnswer(outcome.page, merged, place)
    if (!isPartial) announceMore(before, outcome.page.props.bell.unread)
  })
  // What a page asks for by itself changes no session: where it leads to another page, the person is taken there.
  if (leads) await client.visit(url, { replace: true })
  return isServed
}

/** What has arrived is seen on the bell, and heard by who does not see it. */
function announceMore(before: number, unread: number): void {
  const announcer = document.getElementById('announce')
  if (announcer && unread > before) announcer.textContent = layout.unread(unread)
}

function askAnew(
  { ask, shown }: Client,
  { signal, only }: { signal: AbortSignal; only: readonly string[] },
): ReturnType<Client['ask']> {
  const { url, version, component } = shown()
  const headers: Record<string, string> =
    only.length > 0
      ? { 'X-Page-Partial-Component': component, 'X-Page-Partial-Data': only.join() }
      : { 'X-Page-Unasked': 'true' }
  return ask({ method: 'GET', url, version, signal, headers })
}

/** Whether a document that is loaded anew would lack what nobody has a second time, or was about to do. */
function isAtStake({ shown, typing }: Client): boolean {
  return (
    showsOnce(shown()) ||
    typing.hasUnkept?.() === true ||
    document.querySelector('dialog[open]') !== null
  )
}

/** Whether the service could not answer, and may the next time. */
function isFault({ props }: Page): boolean {
  return 'status' in props && props.status >= 500
}

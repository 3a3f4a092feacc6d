import { layout } from '#words/layout'
import type { Page } from '../../contract/pages.ts'
import type { Client, Reload } from '../core/client-api.ts'
import { countUnread, hasArrived, isSamePage, mergeReload, showsOnce } from './keep-in-place.ts'

/**
 * Reloads the page, or some of its props, keeping typed text and its errors. Waits for requests in flight, so
 * that a flash is not shown twice (spec: Frontend). A whole page is reloaded unasked: the request says so,
 * and a failure changes nothing. Parts are requested by a person, who is told of a failure. If a new build
 * was deployed, the document is not reloaded as long as that would lose something: the next event or visit
 * tries again. A visit that aborts the reload is waited for; if the page shown then was answered before the
 * reload began, the reload is repeated. Resolves with whether the service has answered, as far as it was
 * waited for.
 */
export async function reload(client: Client, how: Reload): Promise<boolean> {
  await settled(client)
  // A page answered before now may lack what this reload is for.
  const since = Date.now()
  const signal = client.present()
  const isServed = await askOnce(client, how, signal)
  if (!signal.aborted || how.only) return isServed
  await settled(client)
  const isOwed = !client.isLoading() && isFromBefore(client, since)
  return isOwed ? reload(client, how) : isServed
}

/**
 * Whether the page was answered before a time. A document's page counts as older than anything, and so does one
 * dated later than now: the clock was set back since.
 */
export function isFromBefore({ shown }: Client, time: number): boolean {
  const { answered = 0 } = shown()
  return answered < time || answered > Date.now()
}

async function settled({ underWay }: Client): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

async function askOnce(
  client: Client,
  { only = [], isUrgent }: Reload,
  signal: AbortSignal,
): Promise<boolean> {
  const before = client.shown()
  const isPartial = only.length > 0
  if (isPartial) client.stayHere()
  let [leads, isServed] = [false, true]
  await client.during(async () => {
    const outcome = await askAnew(client, { signal, only })
    if (signal.aborted || outcome.result === 'stopped') return
    if (outcome.result === 'elsewhere') {
      const stays = !isPartial && !isUrgent && isAtStake(client)
      return stays ? undefined : client.take(outcome, location.href, {})
    }
    if (outcome.result !== 'page' || isFault(outcome.page)) {
      isServed = false
      // A login has ended: the page must not stay visible, even if nothing else can be loaded.
      if (isUrgent) return client.unanswered.page(undefined, true)
      // Only parts are requested by a person, who has to be told.
      if (!isPartial) return
      if (outcome.result === 'gone') return client.unanswered.press()
      return client.toast('error', client.words.notAPage)
    }
    leads = !isSamePage(before, outcome.page)
    if (leads) return
    const merged = mergeReload(client.shown(), outcome.page, isPartial)
    const place = { entry: 'replace', at: 'stay', hash: location.hash } as const
    const shownBefore = client.shown()
    await client.showAnswer(outcome.page, merged, place)
    if (!isPartial && hasArrived(shownBefore, merged)) announce(countUnread(merged))
  })
  // An unasked reload changes no session: where it leads to another page, the person is taken there. Another user
  // gets the page anew too, with nothing of what it showed the former one.
  if (leads) await client.visit(location.href, { replace: true })
  return isServed
}

/** Announces the arrival of a notification, for people who do not see the bell. */
function announce(unread: number): void {
  const announcer = document.getElementById('announce')
  if (announcer) announcer.textContent = layout.unread(unread)
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

/**
 * Whether reloading the document would lose secrets shown once, typed text, or input in a dialog, or close the
 * browser's prompt for a new passkey.
 */
function isAtStake({ shown, typing }: Client): boolean {
  return (
    showsOnce(shown()) ||
    typing.hasUnkept?.() === true ||
    document.querySelector('dialog[open], [data-making=""]') !== null
  )
}

/** Whether the service could not answer; the next request may succeed. */
function isFault({ props }: Page): boolean {
  return 'status' in props && props.status >= 500
}

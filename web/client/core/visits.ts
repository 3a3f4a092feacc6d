import type { Page } from '../../contract/pages.ts'
import { clientWords } from '#words/client'
import { dropScroll, type Entry, keep, type Position, recall, scrollBack } from './entries.ts'
import { load, stayHere } from './leaving.ts'
import { keepInPlace, mergeReload } from './merge.ts'
import { showSent, withProgress } from './progress.ts'
import { ask, type Outcome } from './request.ts'
import { arrived, hasErrors, show, shown } from './shown-page.ts'
import { toast } from './toasts.ts'

export interface Visit {
  /** Whether the page takes the place of the present history entry. */
  readonly replace?: boolean
  readonly preserveScroll?: boolean
  /** The browser went back or forward to here: where the page was scrolled to. */
  readonly restored?: Position
  /** The form that was sent. */
  readonly form?: HTMLFormElement
}

let turn = new AbortController()
let writing: Promise<unknown> = Promise.resolve()
const underWay = new Set<Promise<unknown>>()

/** Goes to an address of this site. Stops the visit before it, but lets a form in flight have its answer first. */
export function visit(url: string, how: Visit = {}): Promise<void> {
  const signal = newTurn()
  return during(() =>
    withProgress(async () => {
      await writing
      if (signal.aborted) return
      const outcome = await ask({ method: 'GET', url, version: shown().version, signal })
      if (!signal.aborted) await take(outcome, url, how)
    }),
  )
}

/** Sends a form, after those sent before it, and shows what it leads to. */
export function send(url: string, body: FormData | URLSearchParams, how: Visit): Promise<void> {
  newTurn()
  return withProgress(() =>
    inTurn(async () => {
      const onSent = body instanceof FormData ? showSent : undefined
      const { version } = shown()
      await take(await ask({ method: 'POST', url, version, body, onSent }), url, how)
    }),
  )
}

/** Does work that changes the session, after what did before it; every visit and form after it waits for it. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  stayHere()
  const before = writing
  const done = during(async () => {
    await before
    return work()
  })
  writing = Promise.allSettled([done])
  return done
}

/**
 * Asks for the shown page anew, or for some of its props; what is typed and its errors stay. Waits while
 * another request is in flight, so that a flash is not shown twice (spec: Frontend). For a whole page nobody asked:
 * it says so, and what is no answer to it changes nothing; to whoever asked for a part that is told.
 */
export async function reload({ only = [] }: { only?: readonly string[] }): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
  const { url, version, component } = shown()
  const isPartial = only.length > 0
  if (isPartial) stayHere()
  let leads = false
  await during(async () => {
    const { signal } = turn
    const headers = isPartial ? partial(component, only) : { 'X-Page-Unasked': 'true' }
    const outcome = await ask({ method: 'GET', url, version, signal, headers })
    if (signal.aborted || outcome.result === 'stopped') return
    if (outcome.result === 'elsewhere') return take(outcome, url, {})
    if (outcome.result !== 'page' || isFault(outcome.page)) {
      // Only of a part did a person ask.
      const { gone, notAPage } = clientWords
      if (isPartial) toast('error', outcome.result === 'gone' ? gone : notAPage)
      return
    }
    leads = outcome.page.component !== component
    if (leads) return
    arrived(outcome.page)
    const merged = mergeReload(shown(), outcome.page, isPartial)
    await show(merged, { entry: 'replace', at: 'stay', hash: location.hash })
  })
  // What a page asks for by itself changes no session: where it leads to another page, the person is taken there.
  if (leads) await visit(url, { replace: true })
}

/** Whether the service could not answer, and may the next time. */
function isFault({ props }: Page): boolean {
  return 'status' in props && props.status >= 500
}

/** Shows the page of the entry that the browser went back or forward to; fetched anew if it cannot be read. */
export async function restore(event: PopStateEvent): Promise<void> {
  dropScroll()
  const signal = newTurn()
  const state = event.state as Entry | null
  // Only the part after `#` is another. The browser made an entry without a page, or returned from one.
  if (location.pathname + location.search === shown().url) {
    if (!state) return keep(shown(), 'replace', location.href)
    return scrollBack()
  }
  const restored = state?.scroll ?? [0, 0]
  const page = await recall(state)
  if (signal.aborted) return
  if (page) return show(page, { entry: 'same', at: restored })
  return visit(location.href, { replace: true, restored })
}

/** Registers work that a reload has to wait for. */
export function during<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = work().finally(() => underWay.delete(done))
  underWay.add(done)
  return done
}

function newTurn(): AbortSignal {
  stayHere()
  turn.abort()
  turn = new AbortController()
  return turn.signal
}

function partial(component: string, only: readonly string[]): Record<string, string> {
  return { 'X-Page-Partial-Component': component, 'X-Page-Partial-Data': only.join() }
}

async function take(outcome: Outcome, url: string, how: Visit): Promise<void> {
  switch (outcome.result) {
    case 'page':
      return arrive(outcome.page, url, how)
    case 'elsewhere':
      return load(outcome.url)
    case 'foreign':
      return how.form ? toast('error', clientWords.notAPage) : load(url)
    case 'gone':
      // The address has changed already; the browser's own page for it says what is the matter.
      return how.restored ? load() : toast('error', clientWords.gone)
    case 'checked':
    case 'stopped':
  }
}

async function arrive(answer: Page, url: string, how: Visit): Promise<void> {
  const before = shown()
  const { form, restored } = how
  // A form's own address is no page: an error page in answer to it stands where the form was.
  const page = form && answer.component === 'Error' ? { ...answer, url: before.url } : answer
  const stays = form && page.component === before.component && page.url === before.url
  const failed = form && hasErrors(page)
  if (stays && !failed) form.reset()
  arrived(page)
  const asked = new URL(url, location.href)
  await show(stays ? keepInPlace(before, page) : page, {
    entry: how.replace || page.url === before.url ? 'replace' : 'push',
    at: restored ?? (failed ? 'error' : stays || how.preserveScroll ? 'stay' : 'top'),
    hash: asked.pathname + asked.search === page.url ? asked.hash : '',
  })
}

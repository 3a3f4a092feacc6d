import type { Page } from '../../contract/pages.ts'
import { clientWords } from '#words/client'
import { after, givenUp, unlessStalled } from './after.ts'
import { dropScroll, type Entry, keep, type Position, recall, scrollBack } from './entries.ts'
import { randomText } from './history-key.ts'
import { load, stayHere } from './leaving.ts'
import { upload, withProgress } from './progress.ts'
import { ask, type Outcome } from './request.ts'
import { hasErrors, hear, show, showAnswer, shown, shownTo } from './shown-page.ts'
import { dismissErrors, toast } from './toasts.ts'
import { typedKept, typing } from './typed-text.ts'
import { unanswered } from './unanswered.ts'

export interface Visit {
  /** Whether the page takes the place of the present history entry. */
  readonly replace?: boolean
  readonly preserveScroll?: boolean
  /** The browser went back or forward to here: where the page was scrolled to. */
  readonly restored?: Position
  /** The form that was sent. */
  readonly form?: HTMLFormElement
}

// Milliseconds that a visit waits for the answer to a form before it, anew whenever a part of the form has gone.
const patience = 10_000

let turn = new AbortController()
/** How often the browser went back or forward to another page. */
let restores = 0
/** Whether the last such page had to be asked for: the history held none that could be read. */
let isAskedFor = false
/** How often the person followed a link. */
let links = 0
/** When the last part of a form went. */
let moved = 0
let writing: Promise<unknown> = Promise.resolve()
/** The ID of the last press until that leads to a page: sent again with it, the server does not do the same twice. */
let press = ''
/** What a reload has to wait for. */
export const underWay = new Set<Promise<unknown>>()

/** Goes to an address of this site. Stops the visit before it, but lets a form in flight have its answer first. */
export async function visit(url: string, how: Visit = {}): Promise<void> {
  const signal = newTurn()
  dismissErrors()
  if (!how.replace) links++
  // A part of the page could not be had: with a document it is asked for again.
  if (!('js' in document.documentElement.dataset)) return load(url)
  return during(() =>
    withProgress(async () => {
      const isAnswered = await written()
      if (signal.aborted) return
      if (!isAnswered) return load(url)
      const outcome = await ask({ method: 'GET', url, version: shown().version, signal })
      await typedKept()
      if (!signal.aborted) await take(outcome, url, how)
    }),
  )
}

/** Sends a form, after those sent before it, and shows what it leads to. */
export function send(url: string, body: FormData | URLSearchParams, how: Visit): Promise<void> {
  newTurn()
  dismissErrors()
  const headers = shownTo()
  const before = restores
  const followed = links
  return withProgress(() =>
    inTurn(async () => {
      const outcome = await ask({
        method: 'POST',
        url,
        version: shown().version,
        headers: { ...headers, 'X-Page-Press': (press ||= randomText()) },
        body: (typing.sent = body),
        onSent(sent) {
          moved = performance.now()
          upload.show?.(sent)
        },
      })
      const page = outcome.result === 'page' && outcome.page
      if (page && !('status' in page.props)) press = ''
      await typedKept()
      delete typing.sent
      if (!page) return take(outcome, url, how)
      const once = shownOnce(page)
      // Whoever followed a link meanwhile stays for it.
      if (once) newTurn()
      if (once || restores === before) {
        // The next page comes right after this one.
        if (links !== followed) typing.heard?.(undefined, page)
        return take(outcome, url, how)
      }
      // The person stays where they went meanwhile; what was done may have changed that page too.
      if (!isAskedFor) void visit(location.href, { replace: true, preserveScroll: true })
      typing.heard?.(how.form, page)
      hear(page)
    }),
  )
}

/** What nobody can ask for again, if it tells that. */
function shownOnce({ flash }: Page): Page['flash']['token' | 'recoveryCodes'] {
  return flash.token ?? flash.recoveryCodes
}

/** Resolves once what is being sent has its answer; with false where it has none in time. */
async function written(): Promise<boolean> {
  const answered = writing.then(() => true)
  const began = performance.now()
  for (let left = patience; left > 0; left = Math.max(began, moved) + patience - performance.now())
    if (await Promise.race([answered, after(left)])) return true
  return false
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

/** Shows the page of the entry that the browser went back or forward to; fetched anew if it cannot be read. */
export async function restore(entry: Pick<PopStateEvent, 'state'>): Promise<unknown> {
  dropScroll()
  const signal = newTurn()
  const state = entry.state as Entry | null
  // Only the part after `#` is another. The browser made an entry without a page, or returned from one.
  if (location.pathname + location.search === shown().url) {
    if (!state) return keep(shown(), 'replace', location.href)
    return scrollBack()
  }
  restores++
  const restored = state?.scroll ?? [0, 0]
  return during(async () => {
    const page = await recall(state)
    await typedKept()
    if (signal.aborted) return
    isAskedFor = !page
    if (!page) return visit(location.href, { replace: true, restored })
    const isShown = show(page, { entry: 'same', at: restored })
    // Once the person goes elsewhere nothing waits for it any more.
    return withProgress(() => Promise.race([isShown, givenUp(signal)]))
  })
}

/** Aborted once the person goes elsewhere. */
export function present(): AbortSignal {
  return turn.signal
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

/** Does what an answer asks for. */
export async function take(outcome: Outcome, url: string, how: Visit): Promise<void> {
  switch (outcome.result) {
    case 'page':
      return arrive(outcome.page, url, how)
    case 'elsewhere':
      await typing.elsewhere?.(how.form)
      return load(outcome.url)
    case 'foreign':
      return how.form ? toast('error', clientWords.notAPage) : load(url)
    case 'gone':
      return how.restored ? unanswered.page(how.restored) : unanswered.press(!!how.form)
    case 'checked':
    case 'stopped':
  }
}

async function arrive(answer: Page, url: string, how: Visit): Promise<void> {
  const before = shown()
  const { form, restored, replace } = how
  const { props } = answer
  const isError = form && 'status' in props
  // The form stays as it is typed, to be sent once more; what a developer is told besides needs a page.
  if (isError && props.status >= 500 && !props.detail) return toast('error', props.message)
  // A form's own address is no page: an error page in answer to it stands where the form was.
  const page = isError ? { ...answer, url: before.url } : answer
  const stays = form && page.component === before.component && page.url === before.url
  const failed = form && hasErrors(page)
  const fillIn = typing.answered?.(form, page)
  if (stays && !failed) {
    form.reset()
    fillIn?.()
  }
  await showAnswer(page, stays ? await keptInPlace(before, page) : page, {
    entry: replace || page.url === before.url ? 'replace' : 'push',
    at: restored ?? (failed ? 'error' : stays || how.preserveScroll ? 'stay' : 'top'),
    // Wherever that was redirected to, as browsers have it.
    hash: new URL(url, location.href).hash,
  })
}

/** Keeps what the page shows in place until it is left. Only users' pages have such, and have loaded the module. */
async function keptInPlace(before: Page, page: Page): Promise<Page> {
  if (!page.props.auth.user) return page
  const kept = await unlessStalled(import('../reload/keep-in-place.ts'))
  return kept?.keepInPlace(before, page) ?? page
}

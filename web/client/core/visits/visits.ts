import type { Page } from '../../../contract/pages.ts'
import { clientWords } from '#words/client/client'
import { after, givenUp, unlessStalled } from '../requests/time-limits.ts'
import {
  dropScroll,
  type Entry,
  type Position,
  readPage,
  scrollBack,
  storePage,
} from '../history/entries.ts'
import { randomText } from '../history/history-key.ts'
import { loadDocument, stayHere } from '../requests/leaving.ts'
import { upload, withProgress } from '../page/progress.ts'
import { ask, type Outcome } from '../requests/request.ts'
import {
  applyWithoutPage,
  hasErrors,
  show,
  showAnswer,
  shown,
  shownTo,
} from '../page/shown-page.ts'
import { dismissErrors, toast } from '../page/toasts.ts'
import { typedKept, typing } from '../page/typed-text.ts'
import { unanswered } from '../page/unanswered.ts'

export interface Visit {
  /** Whether the page replaces the current history entry. */
  readonly replace?: boolean
  readonly preserveScroll?: boolean
  /** The stored scroll position, if the browser went back or forward to here. */
  readonly restored?: Position
  /** The form that was sent. */
  readonly form?: HTMLFormElement
}

// How long a visit waits for the answer to an earlier form; restarted by upload progress.
const patienceMs = 10_000

let navigation = new AbortController()
/** How often the browser has gone back or forward to another page. */
let restores = 0
/** Whether the last of those pages had to be requested: the history held none that could be shown. */
let isRestoreRequested = false
/** How many links the person has followed. */
let linksFollowed = 0
/** When a form's upload last made progress. */
let progressAt = 0
/** Ends with the last work of `inTurn`. */
let lastTurn: Promise<unknown> = Promise.resolve()
/** The ID of the last submit, reused until it leads to a page: the server does not act on it twice. */
let pressId = ''
/** Work that a reload has to wait for. */
export const underWay = new Set<Promise<unknown>>()

/** Visits a URL of this site. Aborts the previous visit, but lets a form in flight have its answer first. */
export async function visit(url: string, how: Visit = {}): Promise<void> {
  const signal = newNavigation()
  dismissErrors()
  if (!how.replace) linksFollowed++
  // A part of the page failed to load: a new document loads it again.
  if (!('js' in document.documentElement.dataset)) return loadDocument(url)
  return during(() =>
    withProgress(async () => {
      const isDone = await awaitTurns()
      if (signal.aborted) return
      if (!isDone) return loadDocument(url)
      const outcome = await ask({ method: 'GET', url, version: shown().version, signal })
      await typedKept()
      if (!signal.aborted) await take(outcome, url, how)
    }),
  )
}

/** Sends a form, after those sent before it, and shows the page it leads to. */
export function send(url: string, body: FormData | URLSearchParams, how: Visit): Promise<void> {
  newNavigation()
  dismissErrors()
  const headers = shownTo()
  const restoresBefore = restores
  const linksBefore = linksFollowed
  return withProgress(() =>
    inTurn(async () => {
      const outcome = await ask({
        method: 'POST',
        url,
        version: shown().version,
        headers: { ...headers, 'X-Page-Press': (pressId ||= randomText()) },
        body: (typing.sent = body),
        onSent(sent) {
          progressAt = performance.now()
          upload.show?.(sent)
        },
      })
      const page = outcome.result === 'page' && outcome.page
      if (page && !('status' in page.props)) pressId = ''
      await typedKept()
      delete typing.sent
      if (!page) return take(outcome, url, how)
      const once = shownOnce(page)
      // Secrets shown once take precedence over a link followed meanwhile.
      if (once) newNavigation()
      if (once || restores === restoresBefore) {
        // The page of the followed link comes right after this one.
        if (linksFollowed !== linksBefore) typing.heard?.(undefined, page)
        return take(outcome, url, how)
      }
      // The person stays where they went meanwhile; the form may have changed that page too.
      if (!isRestoreRequested) void visit(location.href, { replace: true, preserveScroll: true })
      typing.heard?.(how.form, page)
      applyWithoutPage(page)
    }),
  )
}

/** Returns a secret that cannot be requested again, if the page shows one. */
function shownOnce({ flash }: Page): Page['flash']['token' | 'recoveryCodes'] {
  return flash.token ?? flash.recoveryCodes
}

/** Resolves with true once pending forms are answered, with false after a timeout. */
async function awaitTurns(): Promise<boolean> {
  const ended = lastTurn.then(() => true)
  const began = performance.now()
  for (
    let left = patienceMs;
    left > 0;
    left = Math.max(began, progressAt) + patienceMs - performance.now()
  )
    if (await Promise.race([ended, after(left)])) return true
  return false
}

/** Runs work that changes the session, after earlier such work; later visits and forms wait for it. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  stayHere()
  const previousTurn = lastTurn
  const done = during(async () => {
    await previousTurn
    return work()
  })
  lastTurn = Promise.allSettled([done])
  return done
}

/** Shows the page of the history entry that the browser went to; requests it if it cannot be read or drawn. */
export async function restore(entry: Pick<PopStateEvent, 'state'>): Promise<unknown> {
  dropScroll()
  const signal = newNavigation()
  const state = entry.state as Entry | null
  // Only the fragment differs. The browser made an entry without a page, or returned from one.
  if (location.pathname + location.search === shown().url) {
    if (!state) return storePage(shown(), 'replace', location.href)
    return scrollBack()
  }
  restores++
  const restored = state?.scroll ?? [0, 0]
  return during(async () => {
    const page = await readPage(state)
    await typedKept()
    if (signal.aborted) return
    // A reload may have brought another build, or another language, which cannot draw the page as it was.
    const isOutdated = page?.version !== shown().version
    isRestoreRequested = isOutdated
    if (isOutdated) return visit(location.href, { replace: true, restored })
    const isShown = show(page, { entry: 'same', at: restored })
    // Stops waiting once the person goes elsewhere.
    return withProgress(() => Promise.race([isShown, givenUp(signal)]))
  })
}

/** Returns a signal that is aborted once the person goes elsewhere. */
export function present(): AbortSignal {
  return navigation.signal
}

/** Registers work that a reload has to wait for. */
export function during<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = work().finally(() => underWay.delete(done))
  underWay.add(done)
  return done
}

function newNavigation(): AbortSignal {
  stayHere()
  navigation.abort()
  navigation = new AbortController()
  return navigation.signal
}

/** Acts on the outcome of a request. */
export async function take(outcome: Outcome, url: string, how: Visit): Promise<void> {
  // The requested fragment survives redirects, as in browsers.
  const asked = new URL(url, location.href)
  switch (outcome.result) {
    case 'page':
      return arrive(outcome.page, how, asked.hash)
    case 'elsewhere':
      await typing.elsewhere?.(how.form)
      return loadDocument(new URL(outcome.url + asked.hash, asked).href)
    case 'foreign':
      return how.form ? toast('error', clientWords.notAPage) : loadDocument(url)
    case 'gone':
      return how.restored ? unanswered.page(how.restored) : unanswered.press(!!how.form)
    case 'checked':
    case 'stopped':
  }
}

async function arrive(answer: Page, how: Visit, hash: string): Promise<void> {
  const before = shown()
  const { form, restored, replace } = how
  const { props } = answer
  const isError = form && 'status' in props
  // The form keeps its text, to be sent again; a developer's error details need a page.
  if (isError && props.status >= 500 && !props.detail) return toast('error', props.message)
  // A form's action is no page: an error page in answer to it gets the URL of the form's page. Unlike any other,
  // it comes from a newer build, or in another language, without a new document.
  const page = isError ? { ...answer, url: before.url, version: before.version } : answer
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
    hash,
  })
}

/** Keeps what the page shows in place until it is left. Only users' pages, which have the module, need it. */
async function keptInPlace(before: Page, page: Page): Promise<Page> {
  if (!page.props.auth.user) return page
  const kept = await unlessStalled(import('../../reload/keep-in-place.ts'))
  return kept?.keepInPlace(before, page) ?? page
}

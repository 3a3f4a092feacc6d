import { HashesBusy } from '../base/password/hash-queue.ts'
import { CommitInDoubt, DatabaseBusy } from '../db/db.ts'
import { type Answer, HungUp, json, Refusal, text } from './answer.ts'
import { page } from './page/page.ts'
import { vary } from './page/protocol.ts'
import { logDatabase } from './log/log-database.ts'
import { loggedPath } from './log/request-log.ts'
import type { Arrived } from './arrived.ts'
import type { Context } from './context.ts'

// Errors in a body concern the author of the program that sent it, and are in English only.
const aboutBodies = new Set([400, 415])

/** The one `catch` of a request for a page: a refusal becomes its answer, anything else a logged 500. */
export async function answerFailure(c: Context, error: unknown): Promise<Answer> {
  if (error instanceof HungUp) return answerNobody(c, error)
  const { refusal, words } = refusalOf(c, error)
  const { status, explanation } = refusal
  const isTold = c.wantsJson || !aboutBodies.has(status)
  const message = (isTold ? explanation : undefined) ?? errorPageText(c, words)
  try {
    const answer = await errorAnswer(c, status, { message, error })
    return { ...answer, headers: { ...answer.headers, ...refusal.headers } }
  } catch (second) {
    c.log.error('the error page failed', { error: second })
    return text(500, errorPageText(c, 500))
  }
}

/** Answers without a page: what the session shows once stays for one that somebody sees. */
function answerNobody(c: Context, { status, headers }: Refusal): Answer {
  c.keepsCookie = true
  return text(status, '', headers)
}

interface WordedRefusal {
  readonly refusal: Refusal
  /** The key of its words: the status, or the state of the database. */
  readonly words: number | 'away' | 'inDoubt'
}

/** Turns an error into a refusal; an unknown error becomes a logged 500. Database failures are logged too. */
export function refusalOf(c: Arrived, error: unknown): WordedRefusal {
  if (error instanceof DatabaseBusy) return refusalOfDatabase(c, error)
  const refusal = asRefusal(error)
  const { status } = refusal
  if (status === 500) c.log.error('the request failed', { path: loggedPath(c), error })
  return { refusal, words: status }
}

function refusalOfDatabase(c: Arrived, error: DatabaseBusy): WordedRefusal {
  logDatabase(c, error)
  // A GET may be retried. A change in doubt gets no Retry-After: a program would repeat it.
  if (error instanceof CommitInDoubt && c.method !== 'GET')
    return { refusal: new Refusal(503), words: 'inDoubt' }
  return { refusal: new Refusal(503, { 'Retry-After': '5' }), words: 'away' }
}

function errorPageText({ words: { errorPages } }: Context, words: WordedRefusal['words']): string {
  const texts: Readonly<Record<string, { text: string }>> = errorPages
  return (texts[words] ?? errorPages.other).text
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HashesBusy) return new Refusal(503, { 'Retry-After': String(error.seconds) })
  return new Refusal(500)
}

/** Statuses shown without a reference: nobody needs help with a wrong address, large file or slow line. */
const explained = new Set([404, 408, 413])

function errorAnswer(
  c: Context,
  status: number,
  { message, error }: { message: string; error: unknown },
): Answer | Promise<Answer> {
  if (c.wantsJson) return json(status, { message }, { Vary: vary })
  const props = {
    status,
    message,
    // A form's own URL is not a page.
    ...(status >= 500 && c.method === 'GET' && { again: c.url }),
    ...(!explained.has(status) && { reference: c.id }),
  }
  if (!c.app.config.debug || status !== 500) return page(c, 'Error', props, status)
  const detail = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  return page(c, 'Error', { ...props, detail }, status)
}

import { errorPages } from '../../web/contract/words/error.ts'
import { HashesBusy } from '../base/turns.ts'
import { DatabaseBusy } from '../db/db.ts'
import { type Answer, json, Refusal, text } from './answer.ts'
import { page, vary } from './page.ts'
import { loggedPath } from './request-log.ts'
import type { Context } from './context.ts'

/** The one `catch` of a request: a refusal is answered as it says, anything else is a 500 and is logged. */
export async function failed(c: Context, error: unknown): Promise<Answer> {
  const refusal = asRefusal(error)
  if (refusal.status === 500) c.app.log.error('the request failed', { path: loggedPath(c), error })
  const message = refusal.said ?? sentence(refusal.status)
  try {
    const answer = await errorAnswer(c, refusal.status, { message, error })
    return { ...answer, headers: { ...answer.headers, ...refusal.headers } }
  } catch (second) {
    c.app.log.error('the error page failed', { error: second })
    return text(500, sentence(500))
  }
}

function sentence(status: number): string {
  const texts: Readonly<Record<number, { text: string }>> = errorPages
  return (texts[status] ?? errorPages.other).text
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HashesBusy) return new Refusal(503, { 'Retry-After': String(error.seconds) })
  if (error instanceof DatabaseBusy) return new Refusal(503, { 'Retry-After': '5' })
  return new Refusal(500)
}

function errorAnswer(
  c: Context,
  status: number,
  { message, error }: { message: string; error: unknown },
): Answer | Promise<Answer> {
  if (c.wantsJson || c.path.startsWith('/api/')) return json(status, { message }, { Vary: vary })
  const props = { status, message }
  if (!c.app.config.debug || status !== 500) return page(c, 'Error', props, status)
  const detail = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  return page(c, 'Error', { ...props, detail }, status)
}

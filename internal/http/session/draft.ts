import { holds, lifetimes } from '../../base/lifetimes.ts'
import { localPath } from '../../base/network/local-path.ts'
import { textOf } from '../body/fields.ts'
import { typedValues } from '../body/typed-values.ts'
import { isShownTo } from './shown-to.ts'
import { withoutDraft } from './session.ts'
import type { Context } from '../context.ts'

// Bytes of JSON. Sealed in a cookie of 4 KB it takes a third more, and the session needs room beside it.
const longest = 2_000

interface Owner {
  /** undefined where it is not known any more whose login it was. */
  readonly userId: number | undefined
  /** The page of the form. */
  readonly page: string | undefined
}

/**
 * Keeps what was typed into a form that is turned away, for the same user on the same page, and returns whether it did:
 * nothing is kept that is secret or too long, nor of a form about one row of many, which its page could not tell apart, nor
 * of one that was shown to somebody else.
 */
export function keepDraft(c: Context, { userId, page }: Owner): boolean {
  const fields = isTyped(c) ? typedValues(c.fields) : {}
  const isShort = Buffer.byteLength(JSON.stringify(fields)) <= longest
  const isKept = Object.keys(fields).length > 0 && isShort
  if (userId === undefined || page === undefined || !isKept || !isShownTo(c, userId)) return false
  c.session = { ...c.session, draft: { userId, page, fields, at: c.app.now().getTime() } }
  return true
}

/** What the user had typed into a form of this page, which then is no longer kept; undefined when there is nothing. */
export function takeDraft(c: Context): Readonly<Record<string, string>> | undefined {
  const { draft } = c.session
  if (!draft || draft.userId !== c.visitor?.user.id || draft.page !== localPath(c.url))
    return undefined
  c.session = withoutDraft(c.session)
  return holds(draft.at, lifetimes.draft, c.app.now()) ? draft.fields : undefined
}

/** Whether typed text may be kept: a form that deletes has none, and one with parts in its path is about one row. */
function isTyped({ method, fields = new Map(), params }: Context): boolean {
  const named = textOf(fields, '_method').toUpperCase() || method
  return named !== 'DELETE' && Object.keys(params).length === 0
}

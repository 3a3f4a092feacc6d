import { holds, lifetimes } from '../../base/lifetimes.ts'
import { localPath } from '../../base/network/local-path.ts'
import { textOf } from '../body/fields.ts'
import { typedValues } from '../body/typed-values.ts'
import { isShownTo } from './shown-to.ts'
import { withoutDraft } from './session.ts'
import type { Context } from '../context.ts'

// Bytes of JSON. Sealing adds a third, and the rest of the session needs room in the 4 KB cookie.
const longest = 2_000

interface Owner {
  /** undefined if the user of the login is no longer known. */
  readonly userId: number | undefined
  /** The page of the form. */
  readonly page: string | undefined
}

/**
 * Keeps what was typed into a form that is turned away, for the same user on the same page, and returns
 * whether it did. It keeps nothing secret, empty or too long, no form about one row of many, which its page
 * could not tell apart, and no form rendered for somebody else.
 */
export function keepDraft(c: Context, { userId, page }: Owner): boolean {
  const fields = isTyped(c) ? typedValues(c.fields) : {}
  const isShort = Buffer.byteLength(JSON.stringify(fields)) <= longest
  const isKept = Object.values(fields).some((value) => value !== '') && isShort
  if (userId === undefined || page === undefined || !isKept || !isShownTo(c, userId)) return false
  c.session = { ...c.session, draft: { userId, page, fields, at: c.app.now().getTime() } }
  return true
}

/** Removes and returns what the user had typed into a form of this page; undefined if nothing. */
export function takeDraft(c: Context): Readonly<Record<string, string>> | undefined {
  const { draft } = c.session
  if (!draft || draft.userId !== c.visitor?.user.id || draft.page !== localPath(c.url))
    return undefined
  c.session = withoutDraft(c.session)
  return holds(draft.at, lifetimes.draft, c.app.now()) ? draft.fields : undefined
}

/** Whether typed text may be kept: forms that delete have none; a path with parameters is about one row. */
function isTyped({ method, fields = new Map(), params }: Context): boolean {
  const named = textOf(fields, '_method').toUpperCase() || method
  return named !== 'DELETE' && Object.keys(params).length === 0
}

import type {
  Flash,
  Page,
  PageName,
  Pages,
  SharedProps,
  User,
  UserPage,
} from '../../../web/contract/pages.ts'
import { photoLink } from '../../domain/photos/photo-link.ts'
import { type Answer, json, noStore } from '../answer.ts'
import { keptOrDrawn } from './kept-or-drawn.ts'
import { whereRefused } from '../cookies-refused.ts'
import { isLook } from '../head-or-prefetch.ts'
import { partialOf, vary } from './protocol.ts'
import { takeDraft } from '../session/draft.ts'
import { endedUser, hasJustEnded } from '../session/ended-user.ts'
import { hasShownOnce, withoutShownOnce } from '../session/session.ts'
import { recallForm } from '../session/form-cookie.ts'
import { takeShownOnce } from '../session/take-shown-once.ts'
import type { App } from '../../app.ts'
import type { Context, UserContext } from '../context.ts'
import type { User as UserRow } from '../../db/users.ts'

/** A prop that is computed only if a partial reload names it. */
export class Optional<Value> {
  readonly make: () => Value | Promise<Value>

  constructor(make: () => Value | Promise<Value>) {
    this.make = make
  }
}

type HandlerProps<Props> = {
  [Name in keyof Props]: Props[Name] | Optional<NonNullable<Props[Name]>>
}

/** Answers with a page: its page object as JSON, or the document that embeds it (spec: Page delivery 1). */
export async function page<Name extends PageName>(
  c: Name extends UserPage ? UserContext : Context,
  component: Name,
  props: HandlerProps<Pages[Name]>,
  status = 200,
): Promise<Answer> {
  const showsFlash = takesFlash(c, status)
  const showsOnce = showsFlash && c.isShown
  if (showsOnce) {
    await takeShownOnce(c)
    recallForm(c)
  }
  const draft = showsOnce && component !== 'Error' ? takeDraft(c) : undefined
  const allProps = {
    ...(await resolveProps(c, component, props)),
    ...(await sharedProps(c, draft)),
  }
  const pageObject: Page = {
    component,
    props: allProps,
    url: c.url,
    version: c.app.assets.scripts(c.language).version,
    flash: showsFlash ? flashOf(c, draft !== undefined) : {},
    encryptHistory: true,
    clearHistory: c.session.clearHistory ?? false,
  }
  c.showsForm = showsOnce && !c.protocol && !c.visitor && c.session.errors !== undefined
  if (showsOnce && hasShownOnce(c.session)) c.session = withoutShownOnce(c.session)
  if (c.protocol) return pageJson(c, pageObject, status)
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': noStore,
    Vary: vary,
  }
  return keptOrDrawn(c, pageObject, { status, headers })
}

/**
 * A page that reloads itself takes no flash: another tab may be about to load the page meant to show it. Nor does a
 * page that reports a failure, in place of the one that would show what the flash tells of, such as a new token.
 */
function takesFlash(c: Context, status: number): boolean {
  return status < 500 && !isLook(c) && c.isVisit
}

function pageJson(c: Context, pageObject: Page, status: number): Answer {
  const marker = c.protocol?.marker ?? 'X-Page'
  return json(status, pageObject, { [marker]: 'true', Vary: vary })
}

/**
 * Returns the session's flash, with a message for whoever refuses cookies, was just logged out, or finds in
 * the form what they typed before.
 */
function flashOf(c: Context, isTypedBefore: boolean): Flash {
  const { flash = {} } = c.session
  if (whereRefused(c) === c.path) return { error: c.words.flash.cookiesRefused }
  if (hasJustEnded(c)) return { error: c.words.flash.loginEnded.noDraft, ...flash }
  return isTypedBefore ? { error: c.words.flash.typedBefore, ...flash } : flash
}

async function sharedProps(c: Context, draft: SharedProps['old']): Promise<SharedProps> {
  const { errors = {}, old } = c.session
  const user = c.visitor ? await pageUser(c.app, c.visitor.user) : null
  const bell = { unread: c.visitor?.unread ?? 0 }
  const ended = !c.visitor && endedUser(c) !== undefined
  const shared = { auth: { user }, bell, errors, language: c.language, ...(ended && { ended }) }
  // The page client still has what was typed into a failed form. It may lack a draft, if it has loaded
  // another page since.
  const typed = (c.protocol ? undefined : old) ?? draft
  return typed ? { ...shared, old: typed } : shared
}

/** Returns a user as pages see it, without the row's hidden columns. */
export async function pageUser(app: App, user: UserRow): Promise<User> {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    emailVerifiedAt: user.emailVerifiedAt?.toISOString() ?? null,
    twoFactor: user.twoFactorSecret !== null,
    password: user.passwordHash !== '',
    photo: user.photo === null ? null : await photoLink(app, user.photo),
  }
}

/** Whether the answer includes this prop: a partial reload may ask for others only. */
export function isAsked<Name extends PageName>(
  c: Context,
  component: Name,
  prop: string & keyof Pages[Name],
): boolean {
  return propSelection(c, component)(prop).wanted
}

async function resolveProps(
  c: Context,
  component: string,
  props: object,
): Promise<Record<string, unknown>> {
  const select = propSelection(c, component)
  const resolved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) {
    const { named, wanted } = select(name)
    if (value instanceof Optional) {
      if (named) resolved[name] = await value.make()
    } else if (wanted) resolved[name] = value
  }
  return resolved
}

function propSelection(c: Context, component: string) {
  const partial = partialOf(c)
  const reload = partial?.component === component ? partial : undefined
  return (prop: string) => {
    const named = reload?.only.has(prop) ?? false
    const isLeftOut = reload?.except.has(prop) ?? false
    const wanted = reload && reload.only.size > 0 ? named : true
    return { named: named && !isLeftOut, wanted: wanted && !isLeftOut }
  }
}

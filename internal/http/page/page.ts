import type { Page, PageName, Pages, SharedProps, User } from '../../../web/contract/pages.ts'
import { photoLink } from '../../domain/photos/photo-link.ts'
import { type Answer, json, noStore } from '../answer.ts'
import { document } from './document.ts'
import { partialOf } from './protocol.ts'
import { hasShown, shown } from '../session/session.ts'
import { takeShown } from '../session/take-shown-once.ts'
import type { App } from '../../app.ts'
import type { Context } from '../context.ts'
import type { User as UserRow } from '../../db/users.ts'

/** A prop that is worked out only when a partial reload names it. */
export class Optional<Value> {
  readonly make: () => Value | Promise<Value>

  constructor(make: () => Value | Promise<Value>) {
    this.make = make
  }
}

type Given<Props> = { [Name in keyof Props]: Props[Name] | Optional<NonNullable<Props[Name]>> }

/** Answers with a page: its page object as JSON, or the document that embeds it (spec: Page delivery 1). */
export async function page<Name extends PageName>(
  c: Context,
  component: Name,
  props: Given<Pages[Name]>,
  status = 200,
): Promise<Answer> {
  if (takesFlash(c) && showsPage(c)) await takeShown(c)
  const flash = c.session.flash ?? {}
  const carried = { ...(await asked(c, component, props)), ...(await sharedProps(c)) }
  const made: Page = {
    component,
    props: carried,
    url: c.url,
    version: c.app.assets.version,
    flash: takesFlash(c) ? flash : {},
    encryptHistory: true,
    clearHistory: c.session.clearHistory ?? false,
  }
  if (takesFlash(c) && showsPage(c) && hasShown(c.session)) c.session = shown(c.session)
  return c.protocol ? pageJson(c, made, status) : pageDocument(c, made, status)
}

/**
 * Whether a request only looks: a HEAD, or a prefetch, which may never be shown. It takes nothing that is shown once
 * and marks nothing read (contract: Page protocol).
 */
export function isLook(c: Context): boolean {
  if (c.incoming.method === 'HEAD' || c.header('purpose') === 'prefetch') return true
  return c.header('sec-purpose')?.startsWith('prefetch') === true
}

/** A page that asks for itself anew takes no flash either: another tab of the browser may be on its way to it. */
function takesFlash(c: Context): boolean {
  return !isLook(c) && c.isVisit
}

function pageJson(c: Context, made: Page, status: number): Answer {
  const marker = c.protocol?.marker ?? 'X-Page'
  return json(status, made, { [marker]: 'true', Vary: vary })
}

async function pageDocument(c: Context, made: Page, status: number): Promise<Answer> {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': noStore,
    Vary: vary,
  }
  return { status, headers, body: await document(c.app.assets, made, c.nonce) }
}

export const vary = 'X-Page, X-Inertia'

async function sharedProps(c: Context): Promise<SharedProps> {
  const { errors = {}, old } = c.session
  const user = c.visitor ? await pageUser(c.app, c.visitor.user) : null
  const shared = { auth: { user }, bell: { unread: c.visitor?.unread ?? 0 }, errors }
  return old && !c.protocol ? { ...shared, old } : shared
}

/** A user as pages see one: nothing of the row that is hidden. */
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

/** Whether a page carries this prop to the request: a partial reload may ask for others only. */
export function isAsked<Name extends PageName>(
  c: Context,
  component: Name,
  prop: string & keyof Pages[Name],
): boolean {
  return askedOf(c, component)(prop).wanted
}

async function asked(
  c: Context,
  component: string,
  props: object,
): Promise<Record<string, unknown>> {
  const isAsked = askedOf(c, component)
  const carried: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) {
    const { named, wanted } = isAsked(name)
    if (value instanceof Optional) {
      if (named) carried[name] = await value.make()
    } else if (wanted) carried[name] = value
  }
  return carried
}

function askedOf(c: Context, component: string) {
  const partial = partialOf(c.protocol, (name) => c.header(name))
  const reload = partial?.component === component ? partial : undefined
  return (prop: string) => {
    const named = reload?.only.has(prop) ?? false
    const wanted = reload && reload.only.size > 0 ? named : !reload?.except.has(prop)
    return { named, wanted }
  }
}

// A picture or a script that is not there gets the error page too, and must not take the flash with it.
function showsPage(c: Context): boolean {
  const destination = c.header('sec-fetch-dest')
  return c.protocol !== undefined || destination === undefined || destination === 'document'
}

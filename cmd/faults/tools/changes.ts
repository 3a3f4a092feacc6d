import { emailOf, password } from '../../../internal/testing/database/fill-database.ts'
import { png } from '../../../internal/testing/formats/photos.ts'
import type { Answer, Visitor } from './client.ts'

type Form = Readonly<Record<string, string>>

/** A change by a person, and where the 303 that confirms it leads. */
export interface Change {
  readonly name: string
  readonly redirectsTo: string
  readonly make: (visitor: Visitor) => Promise<Answer>
}

const profile = '/settings/profile'
const security = '/settings/security'
const tokens = '/settings/tokens'
const email = emailOf(1)

/** Changes of every kind, in an order in which the first user of a filled database and a new one can make them. */
// oxfmt-ignore
export const changes: readonly Change[] = [
  change('register',        '/dashboard',       '/register', { name: 'New', email: 'new@example.com', password, password_confirmation: password }),
  change('another email',   profile,            profile, { _method: 'PATCH', name: 'New', email: 'newer@example.com' }),
  change('log out',         '/',                '/logout', {}),
  change('ask for a reset', '/forgot-password', '/forgot-password', { email: 'nobody@example.com' }),
  change('log in',          '/dashboard',       '/login', { email, password, remember: 'on' }),
  change('rename',          profile,            profile, { _method: 'PATCH', name: 'Renamed', email }),
  change('make a token',    tokens,             tokens, { name: 'Script', abilities: 'user:read', expiry: '30' }),
  change('revoke a token',  tokens,             `${tokens}/1`, { _method: 'DELETE' }),
  { name: 'photo', redirectsTo: profile, make: upload },
  change('remove a photo',  profile,            `${profile}/photo`, { _method: 'DELETE' }),
  change('log out others',  security,           '/settings/logins', { _method: 'DELETE' }),
  change('password',        security,           '/settings/password', { _method: 'PUT', current_password: password, password: `${password}!`, password_confirmation: `${password}!` }),
  change('delete account',  '/',                profile, { _method: 'DELETE', password: `${password}!` }),
]

function change(name: string, redirectsTo: string, path: string, form: Form): Change {
  return { name, redirectsTo, make: (visitor) => visitor.post(path, form) }
}

/** Uploads a photo like the profile's form. */
export async function upload(visitor: Visitor): Promise<Answer> {
  const form = new FormData()
  form.append('photo', new Blob([new Uint8Array(png(64, 64))]), 'me.png')
  const request = new Response(form)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  const body = Buffer.from(await request.arrayBuffer())
  return visitor.ask('/settings/profile/photo', { headers, body })
}

/** Requests the photo that the profile shows; the first page if it shows none. */
export async function photoOf(visitor: Visitor): Promise<Answer> {
  const { body } = await visitor.get(profile)
  const [, link = '/'] = /"(\/files\/[^"]*)"/.exec(body) ?? []
  return visitor.get(link.replaceAll('&amp;', '&'))
}

/** Whether the answer confirms the change; a form that is sent back leads elsewhere. */
export function isConfirmed({ redirectsTo }: Change, { status, headers }: Answer): boolean {
  return status === 303 && headers.location === redirectsTo
}

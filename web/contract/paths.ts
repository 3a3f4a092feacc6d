/**
 * Every route's name and path (spec: Route table). `{id}` stands for one path segment, `{key...}` for the
 * rest of the path.
 */
export const paths = {
  home: '/',
  up: '/up',
  'change-password': '/.well-known/change-password',
  'passkey-endpoints': '/.well-known/passkey-endpoints',
  dashboard: '/dashboard',
  register: '/register',
  'register.store': '/register',
  login: '/login',
  'login.store': '/login',
  logout: '/logout',
  'password.request': '/forgot-password',
  'password.email': '/forgot-password',
  'password.reset': '/reset-password/{token}',
  'password.store': '/reset-password',
  'password.confirm': '/confirm-password',
  'password.confirm.store': '/confirm-password',
  'verification.notice': '/verify-email',
  'verification.send': '/verify-email',
  'verification.verify': '/verify-email/{id}/{token}',
  'two-factor.login': '/two-factor-challenge',
  'two-factor.login.store': '/two-factor-challenge',
  'two-factor.enable': '/settings/two-factor',
  'two-factor.disable': '/settings/two-factor',
  'two-factor.confirm': '/settings/two-factor/confirm',
  'two-factor.recovery-codes': '/settings/two-factor/recovery-codes',
  'two-factor.recovery-codes.saved': '/settings/two-factor/recovery-codes/saved',
  'login.passkey.options': '/login/passkey/options',
  'login.passkey.store': '/login/passkey',
  'register.passkey': '/register/passkey',
  'register.passkey.create': '/register/passkey/{token}',
  'register.passkey.store': '/register/passkey/{token}',
  'register.passkey.options': '/register/passkey/{token}/options',
  'password.confirm.passkey.options': '/confirm-password/passkey/options',
  'passkeys.options': '/settings/passkeys/options',
  'passkeys.store': '/settings/passkeys',
  'passkeys.update': '/settings/passkeys/{id}',
  'passkeys.destroy': '/settings/passkeys/{id}',
  broadcasts: '/broadcasts',
  files: '/files/{key...}',
  'notifications.index': '/notifications',
  settings: '/settings',
  'profile.edit': '/settings/profile',
  'profile.update': '/settings/profile',
  'profile.destroy': '/settings/profile',
  'profile.photo.update': '/settings/profile/photo',
  'profile.photo.destroy': '/settings/profile/photo',
  'security.edit': '/settings/security',
  'user-password.update': '/settings/password',
  'user-password.destroy': '/settings/password',
  'logins.destroy': '/settings/logins/{id}',
  'logins.destroy-others': '/settings/logins',
  'tokens.index': '/settings/tokens',
  'tokens.store': '/settings/tokens',
  'tokens.destroy': '/settings/tokens/{id}',
  'appearance.edit': '/settings/appearance',
  'language.update': '/language',
  'csp-reports': '/csp-reports',
  'api.user': '/api/user',
  'api.openapi': '/api/openapi.json',
} as const

export type RouteName = keyof typeof paths

/** The names of routes whose path has no field: the name alone gives the path. */
export type FixedRouteName = {
  [Name in RouteName]: (typeof paths)[Name] extends `${string}{${string}` ? never : Name
}[RouteName]

type Fields<Path extends string> = Path extends `${string}{${infer Field}}${infer Rest}`
  ? Record<Field extends `${infer Name}...` ? Name : Field, string | number> & Fields<Rest>
  : unknown

/** Fills the fields of a path from `paths`, percent-encoded. */
export function pathOf<Path extends string>(path: Path, fields: Fields<Path>): string {
  return path.replace(/\{(\w+)(\.\.\.)?\}/g, (_, field: string, rest?: string) => {
    const value = String((fields as Record<string, string | number>)[field])
    return rest ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
}

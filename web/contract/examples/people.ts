import type { ApiToken, BrowserLogin, MailSent, NotificationLine, Passkey, User } from '../pages.ts'
import type { TwoFactor, TwoFactorSetup } from '../two-factor.ts'

const at = '2026-03-03T23:30:00.000Z'

export const ann: User = {
  id: 1,
  name: 'Ann',
  email: 'ann@example.com',
  emailVerifiedAt: at,
  twoFactor: false,
  password: true,
  photo: null,
}

/** A user whose name is markup unless escaped, and who has a photo. */
export const withMarkupName: User = {
  ...ann,
  name: `<b title="x">O'Neill & Söhne</b>`,
  email: `o'neill+a&b@example.com`,
  photo: '/files/a.png?expires=1&signature=b',
}

export const unverified: User = { ...ann, emailVerifiedAt: null }
export const withoutPassword: User = { ...ann, password: false }
export const withCodes: User = { ...ann, twoFactor: true }

export const sent: MailSent = {
  email: 'Ann@x.test',
  fields: { name: 'Ann & "Bob"', email: 'Ann@x.test' },
  subjects: ['Verify your email'],
  from: { name: 'app', address: 'accounts@x.test' },
  seconds: 42,
  until: '2026-03-03T23:30:42.000Z',
}

export const passkey: Passkey = {
  id: 1,
  name: 'Key <1>',
  createdAt: at,
  lastUsedAt: null,
  provider: null,
  synced: false,
}
export const syncedPasskey: Passkey = {
  ...passkey,
  id: 2,
  name: 'iCloud',
  lastUsedAt: at,
  provider: 'iCloud Keychain',
  synced: true,
}

export const currentLogin: BrowserLogin = {
  id: 'a1',
  browser: 'Safari on iOS',
  address: '203.0.113.9',
  loggedInAt: at,
  lastSeenAt: at,
  current: true,
  device: 'phone',
}
export const otherLogin: BrowserLogin = {
  ...currentLogin,
  id: 'b2',
  browser: 'Firefox on Linux',
  loggedInAt: '2026-03-02T23:30:00.000Z',
  current: false,
  device: null,
}

export const token: ApiToken = {
  id: 1,
  name: 'CI & "build"',
  abilities: ['user:read', '*'],
  expiresAt: at,
  lastUsedAt: at,
  createdAt: at,
}
export const unusedToken: ApiToken = {
  ...token,
  id: 2,
  name: 'Backup',
  abilities: [],
  expiresAt: null,
  lastUsedAt: null,
}

const setup: TwoFactorSetup = {
  secret: 'ABCDEFGHIJKLMNOPQR',
  url: 'otpauth://totp/app:ann%40example.com?secret=ABCDEFGHIJKLMNOPQR&issuer=app',
  qr: '<svg></svg>',
  qrCode: { size: 2, paper: 'M0 0h2v2H0z', bars: 'M0 0h1v1H0z' },
}

const off: TwoFactor = {
  enabled: false,
  setup: null,
  codeMarks: [],
  codesLeft: null,
  codesSaved: false,
}

const on = { enabled: true, setup: null, codeMarks: [] }

export const twoFactor = {
  off,
  settingUp: { ...off, setup },
  on: { ...on, codesLeft: 8, codesSaved: true },
  unsaved: { ...on, codesLeft: 8, codesSaved: false },
  few: { ...on, codesLeft: 1, codesSaved: true },
  used: { ...on, codesLeft: 0, codesSaved: false },
} satisfies Record<string, TwoFactor>

export const readNotification: NotificationLine = {
  id: 1,
  kind: 'new-login',
  text: 'A new login',
  language: 'en',
  href: null,
  address: null,
  createdAt: at,
  readAt: at,
  unread: false,
}
export const unreadNotification: NotificationLine = {
  ...readNotification,
  id: 2,
  text: 'Eine neue Anmeldung <x>',
  language: 'de',
  href: '/settings/security#logins',
  address: '203.0.113.9',
  readAt: null,
  unread: true,
}

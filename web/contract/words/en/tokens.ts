import { plural } from '../plural.ts'
import type { TokenExpiry } from '../../limits.ts'

/** What each ability lets a token do; one without words of its own goes by its name alone. */
const may: Readonly<Record<string, string>> = {
  'user:read':
    'See your name, email and photo, and whether your email is verified and two-factor login is on.',
  '*': 'All that the API can do, now and later.',
}

/** API tokens, and what the security page says of them. */
export const tokens = {
  heading: 'API tokens',
  lead: 'A token lets a program of yours call the API in your place, without your password. A new password does not end it: revoke it here.',
  make: 'Make a token',
  name: 'Such as the program or the machine that uses it.',
  abilities: 'What it may do',
  // A screen reader may say nothing of a star.
  ability: (ability: string) => (ability === '*' ? '* (everything)' : ability),
  may: (ability: string) => may[ability] ?? '',
  expiry: 'When it expires',
  expiries: {
    30: 'In 30 days',
    365: 'In a year',
    never: 'Never',
  } satisfies Record<TokenExpiry, string>,
  create: 'Create token',
  made: 'Your new token',
  madeText: 'Copy it now and keep it like a password. You see it only until you leave this page.',
  copy: 'Copy token',
  list: 'Your tokens',
  none: 'You have none yet. Make one for each program that calls the API, so that you can revoke it alone.',
  try: 'Try it',
  tryText: 'With the token in place of $TOKEN, this tells who you are:',
  call: (at: string) => `curl -H "Authorization: Bearer $TOKEN" ${at}`,
  copyCall: 'Copy call',
  describe: 'See all that the API can do (OpenAPI)',
  created: (time: string) => `Made ${time}`,
  used: (time: string) => `Last used ${time}`,
  unused: 'Never used',
  expires: (day: string) => `Expires ${day}`,
  expiredOn: (day: string) => `Expired ${day}`,
  neverExpires: 'Does not expire',
  expired: 'Expired',
  revoke: 'Revoke',
  sure: (name: string) => `Revoke ${name}?`,
  sureText: 'Whatever uses it is turned away from then on. This cannot be undone.',
  keep: 'Keep it',
  count: (count: number) =>
    count === 0
      ? 'You have no API token.'
      : plural('en', count, { one: 'You have one API token.', other: 'You have # API tokens.' }),
  see: 'See your API tokens',
} as const

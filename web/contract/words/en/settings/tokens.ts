import { isolated } from '../../isolated.ts'
import { plural } from '../../plural.ts'
import type { Ability } from '../../../abilities.ts'
import type { TokenExpiry } from '../../../limits.ts'

/** What each ability lets a token do. */
const may: Readonly<Record<Ability, string>> = {
  'user:read':
    'See your name, email and photo, and whether your email is verified and two-factor login is on.',
  '*': 'Everything the API can do, now and later.',
}

/** API tokens, and what the security page says of them. */
export const tokens = {
  heading: 'API tokens',
  lead: 'A token lets a program call the API for you, without your password. Changing your password does not end it; revoking it does.',
  make: 'Make a token',
  name: 'For example the program or the device that uses it.',
  abilities: 'What it may do',
  // In words too, since a screen reader may not read out a star.
  ability: (ability: string) => (ability === '*' ? '* (everything)' : ability),
  may: (ability: Ability) => may[ability],
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
  none: 'No token yet',
  noneText: 'Make one for each program that calls the API: then you can revoke each alone.',
  try: 'Try it',
  tryText: 'Put your token in place of $TOKEN, and the API answers who you are:',
  call: (at: string) => `curl -H "Authorization: Bearer $TOKEN" ${at}`,
  copyCall: 'Copy call',
  describe: 'Everything the API can do (OpenAPI)',
  created: (time: string) => `Made ${time}`,
  used: (time: string) => `Last used ${time}`,
  unused: 'Never used',
  expires: (day: string) => `Expires ${day}`,
  expiredOn: (day: string) => `Expired ${day}`,
  neverExpires: 'Does not expire',
  expired: 'Expired',
  revoke: 'Revoke',
  sure: (name: string) => `Revoke ${isolated(name)}?`,
  sureText: 'Whatever uses it will be turned away. This cannot be undone.',
  keep: 'Keep it',
  count: (count: number) =>
    count === 0
      ? 'You have no API token.'
      : plural('en', count, { one: 'You have one API token.', other: 'You have # API tokens.' }),
  see: 'See your API tokens',
} as const

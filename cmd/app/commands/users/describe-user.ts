import { drawTable, shorten, formatTime } from '../output/table.ts'
import { counted } from '../../../../internal/base/text/printed-sizes.ts'
import type { AccountFacts } from '../../../../internal/domain/accounts/account-facts.ts'

type ItemOf<Name extends 'logins' | 'passkeys' | 'tokens' | 'jobs'> = AccountFacts[Name][number]

/** Formats the facts of an account for a person at a terminal. */
export function describe(facts: AccountFacts): string {
  const { logins, loginsInAll, passkeys, tokens, jobs, jobsInAll } = facts
  return [
    ...drawTable(['', ''], ownRows(facts)).slice(1),
    ...section(
      `Logins (${countText('latest', logins.length, loginsInAll)})`,
      ['BROWSER', 'LOGGED IN AT', 'LAST SEEN AT', 'ADDRESS'],
      logins.map(login),
    ),
    ...section(
      `Passkeys (${passkeys.length})`,
      ['ID', 'CREATED', 'LAST USED AT', 'NAME'],
      passkeys.map(passkey),
    ),
    ...section(
      `API tokens (${tokens.length})`,
      ['ID', 'CREATED', 'EXPIRES', 'LAST USED AT', 'ABILITIES', 'NAME'],
      tokens.map(token),
    ),
    ...section(
      `Jobs that wait or failed (${countText('oldest', jobs.length, jobsInAll)})`,
      ['ID', 'NAME', 'TRIES', 'FAILED AT', 'ERROR'],
      jobs.map(job),
    ),
  ].join('\n')
}

function ownRows(facts: AccountFacts): string[][] {
  const { notifications, loginsWaitingForCode: waiting } = facts
  return [
    ['ID', String(facts.id)],
    ['Name', shorten(facts.name, 200)],
    ['Email', facts.email],
    ['Verified', formatTime(facts.emailVerifiedAt) || 'no'],
    ['Password', facts.password ? 'yes' : 'no'],
    ['Two-factor login', facts.twoFactor ? 'on' : 'off'],
    ['Photo', facts.photo ? 'yes' : 'no'],
    ['Created', formatTime(facts.createdAt)],
    ['Last seen', formatTime(facts.lastSeenAt) || 'never'],
    ['Notifications', `${notifications.all}, of which ${notifications.unread} unread`],
    ...(waiting > 0 ? [['Waiting for a code', counted(waiting, 'login')]] : []),
  ]
}

/** Returns a table under its title; nothing for an empty one. */
function section(title: string, head: readonly string[], rows: readonly string[][]): string[] {
  return rows.length === 0 ? [] : ['', title, ...drawTable(head, rows)]
}

/** Returns the number of items or, if only some are listed, which ones and of how many. */
function countText(order: string, count: number, total: number): string {
  const number = count.toLocaleString('en')
  return total > count ? `${order} ${number} of ${total.toLocaleString('en')}` : number
}

function login({ browser, loggedInAt, lastSeenAt, address }: ItemOf<'logins'>): string[] {
  return [browser, formatTime(loggedInAt), formatTime(lastSeenAt), address]
}

function passkey({ id, createdAt, lastUsedAt, name }: ItemOf<'passkeys'>): string[] {
  return [String(id), formatTime(createdAt), formatTime(lastUsedAt) || 'never', name]
}

function token({
  id,
  createdAt,
  expiresAt,
  lastUsedAt,
  abilities,
  name,
}: ItemOf<'tokens'>): string[] {
  const times = [
    formatTime(createdAt),
    formatTime(expiresAt) || 'never',
    formatTime(lastUsedAt) || 'never',
  ]
  return [String(id), ...times, shorten(abilities.join(', '), 60), name]
}

function job({ id, name, tries, failedAt, error }: ItemOf<'jobs'>): string[] {
  return [String(id), name, String(tries), formatTime(failedAt) || 'no', error ?? '']
}

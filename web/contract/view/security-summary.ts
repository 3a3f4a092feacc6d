import { account } from '#words/account'
import { security } from '#words/settings/security'
import { fewCodes } from '../limits.ts'
import type { BrowserLogin, PageProps, User } from '../pages.ts'

type Props = Pick<
  PageProps<'Settings/Security'>,
  'logins' | 'moreLogins' | 'passkeys' | 'twoFactor' | 'apiTokens'
>

interface Finding {
  readonly text: string
  readonly href: string
  readonly severity: 'error' | 'advice'
}

/** A section of the page and its state in a few words; `at`: a time that is part of that state. */
interface Section {
  readonly name: string
  readonly state: string
  readonly at?: string
  readonly href: string
}

/** Returns what is missing for the account to be safe, the most urgent first. */
export function securityFindings(user: User, { passkeys, twoFactor }: Props): readonly Finding[] {
  const { missing: words } = security
  const { codesLeft, codesSaved } = twoFactor
  const areFew = codesLeft !== null && codesLeft <= fewCodes
  const findings = [
    user.password && !user.twoFactor && fault(words.twoFactor, '#two-factor'),
    areFew && fault(words.codes, '#two-factor'),
    codesLeft !== null && !areFew && !codesSaved && fault(words.saved, '#two-factor'),
    !user.password && passkeys.length === 1 && fault(words.secondWay, '#passkeys'),
    passkeys.length === 0 && {
      text: words.passkey,
      href: '#passkeys',
      severity: 'advice' as const,
    },
  ]
  return findings.filter((finding) => finding !== false)
}

function fault(text: string, href: string): Finding {
  return { text, href, severity: 'error' }
}

/** Returns the sections of the page in order. */
export function sections(user: User, props: Props): readonly Section[] {
  const { passkeys, logins, moreLogins, apiTokens } = props
  const last = lastLogin(logins)
  const { parts } = security
  return [
    {
      name: account.twoFactor,
      state: user.twoFactor ? account.on : account.off,
      href: '#two-factor',
    },
    { name: parts.passkeys, state: parts.count(passkeys.length), href: '#passkeys' },
    {
      name: parts.password,
      state: user.password ? parts.set : parts.notSet,
      href: '#password-panel',
    },
    ...(last
      ? [{ name: parts.lastLogin, state: last.browser, at: last.loggedInAt, href: '#logins' }]
      : []),
    {
      name: parts.browsers,
      state: parts.loggedIn(logins.length, moreLogins),
      href: '#logins',
    },
    { name: parts.tokens, state: parts.count(apiTokens), href: '#api-tokens' },
  ]
}

function lastLogin(logins: readonly BrowserLogin[]): BrowserLogin | undefined {
  return logins.toSorted((one, other) => other.loggedInAt.localeCompare(one.loggedInAt))[0]
}

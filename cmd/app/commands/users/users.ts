import { appName } from '../../../../web/contract/name.ts'
import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { asAdministrator } from '../../../../internal/domain/accounts/as-administrator.ts'
import { deleteAsAdministrator } from '../../../../internal/domain/accounts/delete-account.ts'
import { findAccount } from '../../../../internal/domain/accounts/find-account.ts'
import { keysRemoved, resetLink } from '../../../../internal/domain/accounts/reset-password.ts'
import { logOutAll } from '../../../../internal/domain/logins/log-out.ts'
import { turnOffFor } from '../../../../internal/domain/two-factor/turn-off.ts'
import { isSure } from './confirm.ts'
import { shorten, formatTime } from '../output/table.ts'
import { counted } from '../../../../internal/base/text/printed-sizes.ts'
import { withApp } from '../database/with-app.ts'
import type { App } from '../../../../internal/app.ts'
import type { User } from '../../../../internal/db/users.ts'

export interface Options {
  readonly json: boolean
  /** Whether to skip the confirmation. */
  readonly yes?: boolean
}

/** What a command prints at its end: data for programs, sentences for people. */
export interface Report {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
  /** Additional information for a person, printed to standard error. */
  readonly note?: string
}

/** `gone`: the user no longer exists. undefined: nothing was done, and the reason was printed. */
export type Outcome = Report | 'gone' | undefined

type Work = (app: App, user: User, options: Options) => Promise<Outcome>

/** The commands on one user, named by ID or email. Exit code 1 if there is no such user. */
export const userCommands = {
  show: command(show),
  'reset-link': command(printResetLink),
  logout: command(logOut),
  'disable-two-factor': command(disableTwoFactor),
  delete: command(deleteUser),
}

/** Turns work on one user into a command, which finds the user and prints what was done. */
export function command(work: Work) {
  return (idOrEmail: string, options: Options): Promise<number> =>
    withApp(async (app) => {
      const user = await findAccount(app.db, idOrEmail)
      const outcome = user ? await work(app, user, options) : 'gone'
      if (outcome === 'gone') console.error(noSuchUser(idOrEmail))
      if (outcome === 'gone' || !outcome) return 1
      console.log(options.json ? escapeControls(JSON.stringify(outcome.data)) : outcome.text)
      if (outcome.note && !options.json) console.error(outcome.note)
      return 0
    })
}

function noSuchUser(idOrEmail: string): string {
  return `There is no user ${quote(idOrEmail)}: give an ID or an email. \`${appName} users list --search <text>\` finds users.`
}

async function show(app: App, user: User): Promise<Outcome> {
  const { accountFacts } = await import('../../../../internal/domain/accounts/account-facts.ts')
  const { describe } = await import('./describe-user.ts')
  const facts = await accountFacts(app, user)
  return facts ? { data: facts, text: describe(facts) } : 'gone'
}

async function printResetLink(app: App, user: User): Promise<Report> {
  const { link, endsAt } = resetLink(app, user)
  const removes = await keysRemoved(app.db, user)
  return {
    data: { ...identityOf(user), link, endsAt, removes },
    text: link,
    note: [
      `It sets a new password for ${titleOf(user)} until ${formatTime(endsAt)}, and once.${user.twoFactorSecret ? ' Login asks for a code as before.' : ''}`,
      user.emailVerifiedAt
        ? 'Give it to nobody else: the user is mailed when it is used.'
        : `The email is not verified yet, and using the link verifies it: send it there, and nowhere else. An owner who does not read it needs another one first: \`${appName} users set-email ${user.id} <new email>\`.`,
      ...removalNotes(removes),
    ].join('\n'),
  }
}

/** Returns a sentence on what using the link removes; none if it removes nothing. */
function removalNotes({ passkeys, tokens }: { passkeys: number; tokens: number }): string[] {
  const candidates = [
    passkeys > 0 && counted(passkeys, 'passkey'),
    tokens > 0 && counted(tokens, 'API token'),
  ]
  const counts = candidates.filter((count) => count !== false)
  if (counts.length === 0) return []
  return [
    `It also removes ${counts.join(' and ')}: whoever added them may not be the owner of the email.`,
  ]
}

async function logOut(app: App, { id }: User): Promise<Outcome> {
  const outcome = await asAdministrator(app, id, async (tx, user) => {
    return { user, ...(await logOutAll(app, tx, id)) }
  })
  if (!outcome) return 'gone'
  const { user, logins, waiting } = outcome
  const endedLogins = counted(waiting, 'login no longer waits', 'logins no longer wait')
  const waitingText = waiting > 0 ? `, and ${endedLogins} for a code` : ''
  return {
    data: { ...identityOf(user), logins, loginsWaitingForCode: waiting },
    text: `${titleOf(user)} was logged out of ${counted(logins, 'browser')}${waitingText}.`,
    note: 'No mail tells of it. API tokens work on.',
  }
}

async function disableTwoFactor(app: App, { id }: User): Promise<Outcome> {
  const outcome = await asAdministrator(app, id, async (tx, user) => {
    return { user, wasOn: await turnOffFor(app, tx, user) }
  })
  if (!outcome) return 'gone'
  const { user, wasOn } = outcome
  return {
    data: { ...identityOf(user), wasOn },
    text: wasOn
      ? `Two-factor login of ${titleOf(user)} was turned off.`
      : `Two-factor login of ${titleOf(user)} is off already.`,
    ...(wasOn && { note: 'A notification and a mail tell the user; a running server sends it.' }),
  }
}

async function deleteUser(app: App, user: User, { yes }: Options): Promise<Outcome> {
  const question = `Delete the account of ${titleOf(user)} with all that is its own? It cannot be brought back.`
  if (!yes && !(await isSure(question))) return undefined
  const deletedUser = await deleteAsAdministrator(app, user.id)
  if (!deletedUser) return 'gone'
  const photoLeftToServer = deletedUser.photo !== null
  return {
    data: { ...identityOf(user), deleted: true, photoLeftToServer },
    text: `The account of ${titleOf(user)} was deleted.`,
    note: [
      `No mail tells of it: write to ${escapeControls(user.email)} if the user is to know.`,
      ...(photoLeftToServer ? ['A running server deletes the file of its photo.'] : []),
    ].join('\n'),
  }
}

export function identityOf({ id, name, email }: User) {
  return { id, name, email }
}

export function titleOf({ id, email }: User): string {
  return `${escapeControls(email)} (ID ${id})`
}

export function quote(text: string): string {
  return escapeControls(JSON.stringify(shorten(text, 100)))
}

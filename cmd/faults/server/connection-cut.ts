import { password } from '../../../internal/testing/database/fill-database.ts'
import { serverWords } from '../../../web/contract/words/en/server.ts'
import { type Answer, Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count } from '../tools/figures.ts'
import { run, type Server, start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { startDatabase } from './database-server.ts'

// Milliseconds.
const longestReturn = 10_000
/** More messages to the database than it takes to create an account, a token and another name. */
const messages = 50

/** A status, 0 if there was no answer, or that it is unknown whether the change was made. */
type Outcome = number | 'in doubt'

/** The answers to a person's changes. */
interface Attempt {
  readonly email: string
  readonly statuses: readonly Outcome[]
  readonly isCut: boolean
}

interface AccountState {
  readonly name: string
  readonly logins: readonly unknown[]
  readonly tokens: readonly unknown[]
  readonly jobs: readonly { readonly name: string }[]
  readonly notifications: { readonly all: number }
}

/** Cuts the connection to the database at one message after the other, before its arrival and before its answer. */
export async function connectionCut(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const points = quick ? 40 : 200
  const database = await startDatabase(extent)
  const proxy = await startCuttingProxy(database.port)
  const url = String(database.settings['DB_URL']).replace(`:${database.port}/`, `:${proxy.port}/`)
  const settings = { ...database.settings, QUEUE_WORKERS: '0' }
  const server = await start({ settings: { ...settings, DB_URL: url } })
  const attempts: Attempt[] = []
  for (let point = 0; point < points; point++) {
    const email = `point${point}@example.com`
    const at = 1 + (Math.floor((point * messages) / points) % messages)
    proxy.cutAt(at, point % 2 === 0 ? 'before it arrives' : 'before its answer')
    const statuses = await makeChanges(server, email)
    attempts.push({ email, statuses, isCut: proxy.stopCutting() })
    await until(() => isUp(server), longestReturn)
  }
  const { code } = await server.stop()
  const allFaults: string[] = []
  for (const attempt of attempts)
    allFaults.push(...faultsOf(attempt, await accountState(settings, attempt.email)))
  const unknownCount = attempts.filter(({ statuses }) => statuses.includes('in doubt')).length
  const cutCount = attempts.filter(({ isCut }) => isCut).length
  return [
    {
      fault: `the connection to the database cut at ${cutCount} points of what a person does`,
      promise:
        'nothing half done; what was cut is a 500 or 503, never a false 303; a commit whose answer was lost is told as not known',
      figures:
        `${count(attempts.length)} people; ${allFaults.length === 0 ? 'nothing' : allFaults.slice(0, 5).join('; ')} ` +
        `half done or falsely told; ${unknownCount} told that it is not known`,
      isKept: allFaults.length === 0 && unknownCount > 0 && cutCount > points / 2 && code === 0,
    },
  ]
}

/** Creates an account, a token and another name, and returns the answers. */
async function makeChanges(server: Server, email: string): Promise<readonly Outcome[]> {
  const visitor = new Visitor(server)
  const account = { name: 'Ann', email, password, password_confirmation: password }
  const registerStatus = outcomeOf(await visitor.post('/register', account).catch(() => undefined))
  if (registerStatus !== 303) return [registerStatus]
  const token = { name: 'Mine', abilities: 'user:read', expiry: '30' }
  const tokenAnswer = await statusOf(visitor, '/settings/tokens', token)
  const form = { _method: 'PATCH', name: 'Bee', email }
  const renameStatus = await statusOf(visitor, '/settings/profile', form)
  visitor.leave()
  return [registerStatus, tokenAnswer, renameStatus]
}

async function statusOf(
  visitor: Visitor,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const answer = await visitor.post(path, form).catch(() => undefined)
  // A 303 to another page, such as the login page, means that nothing was done.
  return answer?.status === 303 && answer.headers.location !== path ? 302 : outcomeOf(answer)
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer?.body.includes(serverWords.errorPages.inDoubt.text)) return 'in doubt'
  return answer?.status ?? 0
}

async function isUp(server: Server): Promise<boolean> {
  const visitor = new Visitor(server)
  const { status } = await visitor.get('/up')
  visitor.leave()
  return status === 200
}

/** Returns the facts of an account; undefined if there is none. */
async function accountState(
  settings: Readonly<Record<string, string>>,
  email: string,
): Promise<AccountState | undefined> {
  const { code, stdout } = await run(['users', 'show', email, '--json'], { settings })
  return code === 0 ? (JSON.parse(stdout) as AccountState) : undefined
}

function faultsOf({ email, statuses }: Attempt, account: AccountState | undefined): string[] {
  const [registerStatus, tokenStatus, renameStatus] = statuses
  const unexpected = statuses.filter((status) => ![303, 500, 503, 'in doubt'].includes(status))
  const faults = unexpected.map((status) => `${email} was answered ${status}`)
  if (!account) return registerStatus === 303 ? [...faults, `${email} has no account`] : faults
  const mails = account.jobs.filter(({ name }) => name === 'VerifyMail').length
  const tokens = account.tokens.length
  if (account.logins.length !== 1 || mails !== 1)
    faults.push(`${email} has ${account.logins.length} logins and ${mails} mails`)
  if (tokens !== account.notifications.all || (tokenStatus === 303 && tokens !== 1))
    faults.push(`${email} has ${tokens} tokens and ${account.notifications.all} notices`)
  if (renameStatus === 303 && account.name !== 'Bee') faults.push(`${email} has the old name`)
  const changesMade = { account: true, token: tokens > 0, name: account.name === 'Bee' }
  for (const [at, [name, isDone]] of Object.entries(changesMade).entries()) {
    const status = statuses[at]
    if (isDone && status !== 303 && status !== 'in doubt')
      faults.push(`the ${name} of ${email} is there, and it was answered ${status}`)
  }
  return faults
}

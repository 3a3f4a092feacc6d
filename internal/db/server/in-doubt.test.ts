import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { allSessions } from '#testing/rows'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { cuttingProxy } from '../../testing/network/cutting-proxy.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { logIn, registeredBrowser, registration, ann as person } from '../../testing/people.ts'
import { allUsers, deleteUsers, setUserNames } from '../../testing/database/rows.ts'
import { sessionCookieOf } from '../../testing/sessions.ts'
import { allTokens } from '../../testing/database/token-rows.ts'
import { addNewPasskey, newAuthenticator } from '../../testing/passkeys.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'
import { serverWords as de } from '../../../web/contract/words/de/server.ts'
import { serverWords as en } from '../../../web/contract/words/en/server.ts'
import { CommitInDoubt, DatabaseBusy } from '../db.ts'

// Excludes the COMMITTED in the BEGIN of a transaction.
const commit = /COMMIT(?!TED)/

const isServer = addresses.setting === 'DB_URL'

/** Opens a database twice: directly, and as `far` through a proxy that can be cut. */
async function openedTwice() {
  const { db, address } = await temporaryDatabase()
  const proxy = await cuttingProxy(address)
  const far = await openDatabase(proxy.address)
  onTestFinished(() => far.close())
  return { db, far, proxy }
}

/** Returns the reason of a rejected promise. */
function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

test.runIf(isServer)(
  'a commit whose answer was lost is reported as in doubt, is not run again, and skips afterCommit',
  async () => {
    const { db, far, proxy } = await openedTwice()
    let [runs, afterCommits] = [0, 0]
    proxy.cutAt(commit, 'before its answer')
    const adding = far.transaction(async (tx) => {
      runs++
      tx.afterCommit(() => void afterCommits++)
      await users.insert(tx, ann)
    })
    expect(await refusalOf(adding)).toBeInstanceOf(CommitInDoubt)
    expect([runs, afterCommits, (await allUsers(db)).length]).toEqual([1, 0, 1])
    proxy.cutAt(commit, 'before it arrives')
    const naming = far.transaction((tx) => setUserNames(tx, 'Bee'))
    expect(await refusalOf(naming)).toBeInstanceOf(CommitInDoubt)
    expect((await allUsers(db)).map(({ name }) => name)).toEqual(['Ann'])
  },
)

test.runIf(isServer)(
  'a lost answer puts a single write in doubt, but not a read or a statement in a transaction',
  async () => {
    const { db, far, proxy } = await openedTwice()
    await addUser(db)
    proxy.cutAt(/UPDATE users/, 'before its answer')
    const inside = await refusalOf(far.transaction((tx) => setUserNames(tx, 'Bee')))
    expect(inside).toBeInstanceOf(DatabaseBusy)
    expect(inside).not.toBeInstanceOf(CommitInDoubt)
    expect((await allUsers(db)).map(({ name }) => name)).toEqual(['Ann'])
    // Without values it is sent as one message.
    proxy.cutAt(/DELETE FROM users/, 'before its answer')
    expect(await refusalOf(deleteUsers(far))).toBeInstanceOf(CommitInDoubt)
    expect(await allUsers(db)).toEqual([])
    proxy.cutAt(/SELECT \* FROM users/, 'before its answer')
    expect(await refusalOf(allUsers(far))).not.toBeInstanceOf(CommitInDoubt)
  },
)

test.runIf(isServer)(
  'the error that ended a transaction is reported even if the rollback fails',
  async () => {
    const { far, proxy } = await openedTwice()
    const why = new Error('no')
    proxy.cutAt(/ROLLBACK/, 'before it arrives')
    const refused = far.transaction(async (tx) => {
      await users.insert(tx, ann)
      throw why
    })
    expect(await refusalOf(refused)).toBe(why)
    expect([proxy.isCut, await allUsers(far)]).toEqual([true, []])
  },
)

test.runIf(isServer)(
  'a request whose change is in doubt gets a 503 that says so, without Retry-After, and is logged',
  async () => {
    const { db, address } = await temporaryDatabase()
    const proxy = await cuttingProxy(address)
    const app = await testApp({ config: { database: proxy.address } })
    const register = async (language: string) => {
      proxy.cutAt(commit, 'before its answer')
      const email = `${language}@x.test`
      const headers = { 'Accept-Language': language }
      return app.browser().post('/register', registration({ ...person, email }), { headers })
    }
    const visits = [await register('en'), await register('de')]
    const answers = visits.map(({ status, page, headers }) => [
      status,
      page.props['message'],
      headers['retry-after'],
    ])
    expect(answers).toEqual([
      [503, en.errorPages.inDoubt.text, undefined],
      [503, de.errorPages.inDoubt.text, undefined],
    ])
    expect((await allUsers(db)).map(({ email }) => email)).toEqual(['en@x.test', 'de@x.test'])
    const logged = app.logLines.filter(({ level }) => level === 'warn')
    expect(logged).toMatchObject(
      visits.map(({ headers }) => ({
        message: 'not known whether a change was made',
        facts: { path: '/register', request: headers['x-request-id'] },
      })),
    )
  },
)

/** Returns a browser with an account, and what it needs to make a token; its session has a row. */
async function withSessionRow() {
  const { db, address } = await temporaryDatabase()
  const proxy = await cuttingProxy(address)
  const config = { database: proxy.address, sessionStore: 'database' } as const
  const app = await testApp({ config })
  const browser = await verifiedBrowser(app)
  await app.pass({ minutes: 2 })
  const makeToken = () => browser.post(tokens, form, { stay: true })
  return { db, proxy, app, browser, makeToken }
}

const tokens = '/settings/tokens'
const form = { name: 'CI', abilities: 'user:read', expiry: '30' }

test.runIf(isServer)(
  'a change whose session could not be saved was made, so its 503 has no Retry-After',
  async () => {
    const { db, proxy, makeToken } = await withSessionRow()
    proxy.cutAt(/UPDATE sessions/, 'before it arrives')
    const { status, page, headers } = await makeToken()
    expect([status, page.props['message'], headers['retry-after']]).toEqual([
      503,
      en.errorPages.inDoubt.text,
      undefined,
    ])
    expect([proxy.isCut, (await allTokens(db)).length]).toEqual([true, 1])
  },
)

test.runIf(isServer)(
  'a form is answered as saved although the answer to the commit that saves its session was lost',
  async () => {
    const { db, proxy, app, browser, makeToken } = await withSessionRow()
    const before = sessionCookieOf(browser)
    proxy.cutAt(commit, 'before its answer', /INSERT INTO sessions/)
    const confirmed = await browser.post('/confirm-password', { password: person.password })
    expect([proxy.isCut, confirmed.component]).toEqual([true, 'Dashboard'])
    expect([sessionCookieOf(browser) === before, (await allSessions(db)).length]).toEqual([
      false,
      1,
    ])
    proxy.cutAt(commit, 'before its answer', /UPDATE sessions/)
    expect([(await makeToken()).status, proxy.isCut]).toEqual([303, true])
    expect(typeof (await browser.get(tokens)).flash.token).toBe('string')
    const another = app.browser()
    proxy.cutAt(commit, 'before its answer', /INSERT INTO sessions/)
    expect([(await logIn(another, person)).component, proxy.isCut]).toEqual(['Dashboard', true])
    proxy.cutAt(commit, 'before its answer', /DELETE FROM sessions/)
    expect([(await another.post('/logout')).component, proxy.isCut]).toEqual(['Home', true])
    expect((await allSessions(db)).length).toBe(1)
  },
)

test.runIf(isServer)(
  'a session that a lost commit did not save is not given to the browser, which keeps the one before',
  async () => {
    const { db, proxy, browser } = await withSessionRow()
    const before = sessionCookieOf(browser)
    proxy.cutAt(commit, 'before it arrives', /INSERT INTO sessions/)
    const { status, page } = await browser.post('/confirm-password', { password: person.password })
    expect([proxy.isCut, status, page.props['message']]).toEqual([
      true,
      503,
      en.errorPages.inDoubt.text,
    ])
    expect([sessionCookieOf(browser) === before, (await allSessions(db)).length]).toEqual([true, 1])
    expect((await browser.get(tokens)).component).toBe('Settings/Tokens')
  },
)

test.runIf(isServer)(
  'a new token is shown although the answer to the commit that takes it from the session was lost',
  async () => {
    const { proxy, browser, makeToken } = await withSessionRow()
    await makeToken()
    proxy.cutAt(commit, 'before its answer')
    const { status, flash } = await browser.get(tokens)
    expect([proxy.isCut, status, typeof flash.token]).toEqual([true, 200, 'string'])
  },
)

test.runIf(isServer)(
  'an added passkey is acknowledged although it cannot be looked up afterwards',
  async () => {
    const { address } = await temporaryDatabase()
    const proxy = await cuttingProxy(address)
    const app = await testApp({ config: { database: proxy.address } })
    const browser = await registeredBrowser(app, person)
    proxy.cutAt(/WHERE credential_id = /, 'before its answer')
    const visit = await addNewPasskey(browser, newAuthenticator())
    expect([proxy.isCut, visit.status]).toEqual([true, 200])
  },
)

import { appName } from '../../../../web/contract/name.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { logins } from '#db/logins'
import { migrate } from '#db/migrations'
import { addUser, ann as added, loginOf } from '../../../../internal/testing/database/user-rows.ts'
import {
  migrations,
  noon,
  settingOf,
  unusedAddress,
} from '../../../../internal/testing/database/database.ts'
import { requiredSettings, run, serve } from '../../../../internal/testing/processes/executable.ts'
import { ann, bob, logIn, registration } from '../../../../internal/testing/people.ts'
import {
  addFailedJob,
  addPasskeysAndTokens,
  allJobs,
  allUsers,
  setPhotoKey,
  verifyEmails,
} from '../../../../internal/testing/database/rows.ts'
import { codeAt } from '../../../../internal/testing/totp.ts'
import { beginTwoFactorSetup } from '../../../../internal/testing/two-factor.ts'
import { usersWithoutServer } from '../../../../internal/testing/database/users-without-server.ts'

/** Starts a server with Ann logged in, and returns the commands to run beside it. */
async function serveWithUser() {
  const settings = await requiredSettings()
  const app = await serve({ settings })
  const browser = app.browser()
  await browser.post('/register', registration(ann))
  const users = (...args: string[]) => run(['users', ...args], { folder: app.folder, settings })
  return { app, browser, users }
}

/** The same, with two-factor login for Ann. */
async function serveWithTwoFactor() {
  const context = await serveWithUser()
  const db = await openDatabase(context.app.database)
  onTestFinished(() => db.close())
  await verifyEmails(db, new Date())
  const code = codeAt(await beginTwoFactorSetup(context.browser), new Date())
  await context.browser.post('/settings/two-factor/confirm', { code })
  return context
}

const refusedMail = { name: 'VerifyMail', error: '550 no', tries: 10, at: noon }

test('users show prints everything but secrets, and escapes control characters in names', async () => {
  const { db, users } = await usersWithoutServer()
  const name = `Ann\n2  \u001b[2J\u202e${'x'.repeat(5000)}`
  const user = await addUser(db, { ...added, name })
  await addPasskeysAndTokens(db, noon)
  const endsAt = new Date(Date.now() + 60_000)
  await db.transaction((tx) => logins.insert(tx, { ...loginOf(user, 'one'), endsAt }))
  await addFailedJob(db, { ...refusedMail, payload: { userId: 1 } })
  const show = await users('show', '1')
  const json = await users('show', 'ANN@EXAMPLE.COM', '--json')
  const list = await users('list')
  expect(show.stdout).toContain(String.raw`Ann\u000a2  \u001b[2J\u202exxx`)
  expect(show.stdout).toMatch(/a browser +\S+Z +\S+Z +192\.0\.2\.1\n/)
  expect(show.stdout).toMatch(/VerifyMail +10 +\S+Z +550 no\n/)
  expect(JSON.parse(json.stdout)).toMatchObject({
    id: 1,
    name,
    passkeys: [{ name: 'Firefox on Linux' }],
    tokens: [{ name: 'CI', abilities: [] }],
    logins: [{ address: '192.0.2.1' }],
    jobs: [{ name: 'VerifyMail', error: '550 no' }],
  })
  expect(show.stdout + json.stdout).not.toMatch(/hash|secret|"key"|public/i)
  expect(show.stdout.length).toBeLessThan(2000)
  expect(list.stdout.split('\n')).toHaveLength(3)
  expect(list.stdout.length).toBeLessThan(1000)
})

test('commands for an unknown user exit with code 1 and point to users list --search', async () => {
  const { db, users } = await usersWithoutServer()
  await addUser(db)
  const commands = ['show', 'reset-link', 'logout', 'disable-two-factor', 'delete']
  const unknownUser = 'eve\u001b@x.test'
  const results = await Promise.all([
    ...commands.map((command) => users(command, unknownUser)),
    users('set-email', unknownUser, 'ann@y.test'),
  ])
  expect(new Set(results.map(({ code, stdout }) => `${code}${stdout}`))).toEqual(new Set(['1']))
  expect(new Set(results.map(({ stderr }) => stderr)).size).toBe(1)
  expect(results[0]?.stderr).toMatch(
    /^There is no user "eve\\u001b@x\.test": .*users list --search/,
  )
})

test('commands on a database with pending migrations name the command that runs them', async () => {
  const address = await unusedAddress()
  await migrate(address, migrations.slice(0, 3), noon)
  const place = { settings: { ...(await requiredSettings()), ...settingOf(address) } }
  const commands = [['users', 'list'], ['users', 'show', '1'], ['jobs']]
  const results = await Promise.all(commands.map((args) => run(args, place)))
  const message = `${appName}: ${migrations.length - 3} migrations of this build did not run on the database `
  expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(commands.map(() => [1, '']))
  expect(new Set(results.map(({ stderr }) => stderr)).size).toBe(1)
  expect(results[0]?.stderr.startsWith(message)).toBe(true)
  expect(results[0]?.stderr).toContain(`run \`${appName} migrate\``)
})

test('users reset-link prints a link with which the user sets a new password', async () => {
  const { app, users } = await serveWithUser()
  const { code, stdout, stderr } = await users('reset-link', 'ANN@x.test')
  const [, token = ''] =
    /^http:\S+\/reset-password\/([^?]+)\?email=ann%40x\.test\n$/.exec(stdout) ?? []
  const fields = { password: 'another word', password_confirmation: 'another word' }
  const visit = await app.browser().post('/reset-password', { ...fields, token, email: ann.email })
  expect([code, visit.user?.name]).toEqual([0, 'Ann'])
  expect(stderr).toMatch(/until 20\S+Z, and once\.\n/)
})

test('users reset-link says how many passkeys and tokens its link removes from an unverified account', async () => {
  const { db, users } = await usersWithoutServer()
  await addUser(db)
  const withoutKeys = await users('reset-link', '1')
  await addPasskeysAndTokens(db, noon)
  const withKeys = await users('reset-link', '1')
  const json = await users('reset-link', '1', '--json')
  await verifyEmails(db, noon)
  const withVerifiedEmail = await users('reset-link', '1')
  const removes = 'It also removes 1 passkey and 1 API token: '
  expect(withKeys.stderr.split('\n').slice(1)).toEqual([
    expect.stringMatching(/and nowhere else\. An owner .* `\w+ users set-email 1 <new email>`\.$/),
    expect.stringMatching(`^${removes}`),
    '',
  ])
  expect(JSON.parse(json.stdout)).toMatchObject({ removes: { passkeys: 1, tokens: 1 } })
  expect(withoutKeys.stderr + withVerifiedEmail.stderr).not.toContain('removes')
})

test('users logout logs out the browser of a user while the server runs', async () => {
  const { browser, users } = await serveWithUser()
  const { code, stdout } = await users('logout', '1')
  expect([code, stdout]).toEqual([0, 'ann@x.test (ID 1) was logged out of 1 browser.\n'])
  expect((await browser.get('/dashboard')).url).toBe('/login')
})

test('users logout counts the logins that waited for a code, whether none, one or two', async () => {
  const { app, users } = await serveWithTwoFactor()
  const withoutLogins = await users('logout', '1')
  await logIn(app.browser(), ann)
  const withOneLogin = await users('logout', '1')
  await logIn(app.browser(), ann)
  await logIn(app.browser(), ann)
  const withTwoLogins = await users('logout', '1')
  const outputStart = 'ann@x.test (ID 1) was logged out of'
  expect([withoutLogins, withOneLogin, withTwoLogins].map(({ stdout }) => stdout)).toEqual([
    `${outputStart} 1 browser.\n`,
    `${outputStart} 0 browsers, and 1 login no longer waits for a code.\n`,
    `${outputStart} 0 browsers, and 2 logins no longer wait for a code.\n`,
  ])
})

test('users disable-two-factor lets the user log in without a code, and notifies the user', async () => {
  const { app, browser, users } = await serveWithTwoFactor()
  const first = await users('disable-two-factor', 'ann@x.test', '--json')
  const second = await users('disable-two-factor', 'ann@x.test')
  const visit = await logIn(app.browser(), ann)
  expect(JSON.parse(first.stdout)).toMatchObject({ id: 1, wasOn: true })
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('is off already') })
  expect(visit.url).toBe('/dashboard')
  expect((await browser.get('/notifications')).body).toContain('two-factor-disabled')
  await expect
    .poll(() => app.lines.map(({ subject }) => subject))
    .toContain('Two-factor login was turned off')
})

test('users delete deletes an account only with --yes, and leaves other accounts alone', async () => {
  const { app, browser, users } = await serveWithUser()
  const bobsBrowser = app.browser()
  await bobsBrowser.post('/register', registration(bob))
  const unconfirmed = await users('delete', '1')
  const before = await browser.get('/settings/profile')
  const confirmed = await users('delete', '1', '--yes')
  const db = await openDatabase(app.database)
  onTestFinished(() => db.close())
  expect(unconfirmed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--yes'),
  })
  expect(before.user?.name).toBe('Ann')
  expect(confirmed).toMatchObject({
    code: 0,
    stdout: 'The account of ann@x.test (ID 1) was deleted.\n',
  })
  expect((await browser.get('/settings/profile')).url).toBe('/login')
  expect((await allUsers(db)).map(({ name }) => name)).toEqual(['Bob'])
})

test('users delete says whether a running server has to delete the photo of the account', async () => {
  const { db, users } = await usersWithoutServer()
  await addUser(db)
  await setPhotoKey(db, 'photos/ann.png')
  await addUser(db, { ...added, email: 'bob@x.test', emailKey: 'bob@x.test' })
  await addUser(db, { ...added, email: 'eve@x.test', emailKey: 'eve@x.test' })
  const withPhoto = await users('delete', '1', '--yes')
  const withoutPhoto = await users('delete', '2', '--yes')
  await setPhotoKey(db, 'photos/eve.png')
  const json = await users('delete', '3', '--yes', '--json')
  expect(withPhoto.stderr.split('\n')).toEqual([
    'No mail tells of it: write to Ann@example.com if the user is to know.',
    'A running server deletes the file of its photo.',
    '',
  ])
  expect(withoutPhoto.stderr).not.toContain('photo')
  expect(JSON.parse(json.stdout)).toMatchObject({ deleted: true, photoLeftToServer: true })
  expect((await allJobs(db)).map(({ name }) => name)).toEqual(['delete-file', 'delete-file'])
})

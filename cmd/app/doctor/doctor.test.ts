import { appName } from '../../../web/contract/name.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { jobs } from '#db/jobs'
import { twoFactor } from '../../../internal/db/two-factor.ts'
import { seal } from '../../../internal/domain/two-factor/sealed.ts'
import { localFiles } from '../../../internal/base/files/local.ts'
import { savePhoto } from '../../../internal/domain/photos/save-photo.ts'
import { push } from '../../../internal/services/jobs/push.ts'
import { addUser, logInAs } from '../../../internal/testing/database/user-rows.ts'
import {
  migrations,
  later,
  noon,
  temporaryDatabase,
  temporaryFolder,
} from '../../../internal/testing/database/database.ts'
import { judged, png } from '../../../internal/testing/formats/photos.ts'
import { addFailedJob, addJobs, allUsers } from '../../../internal/testing/database/rows.ts'
import { account, startSmtp } from '../../../internal/testing/network/smtp.ts'
import { testApp } from '../../../internal/testing/test-app.ts'
import { migrationFindings } from './migrations.ts'
import { keyFindings } from './key.ts'
import { roomFindings } from './disk-room.ts'
import { photoFindings } from './photos.ts'
import { doubtFindings } from './settings.ts'
import { clockFindings, jobFindings, mailFindings } from './work.ts'
import type { Finding } from '../../../internal/base/finding.ts'

function lines(findings: readonly Finding[]): string[] {
  return findings.map(({ state, finding }) => `${state} ${finding}`)
}

/** Opens an app with one user, who has two-factor login. */
async function withTwoFactor() {
  const app = await testApp()
  const { id } = await addUser(app.db)
  const secret = seal(app, 'totp', id, 'a secret')
  const codes = seal(app, 'recovery', id, 'codes')
  await app.db.transaction((tx) => twoFactor.turnOn(tx, { id, secret, codes, step: 1 }))
  return app
}

test('doctor reports whether the keys open all sealed values and which keys are still needed', async () => {
  const app = await withTwoFactor()
  const [key] = app.config.keys
  const otherKey = randomBytes(32)
  const checkKeys = (...keys: [Buffer, ...Buffer[]]) => keyFindings({ ...app.config, keys }, app.db)
  expect(lines(await checkKeys(key))).toEqual(['ok APP_KEY opens all that is sealed, 2 values.'])
  expect(lines(await checkKeys(key, otherKey))[0]).toContain('needed for logins and links only')
  expect(lines(await checkKeys(otherKey, key))[0]).toMatch(
    /^warn 2 values .* with a key of APP_PREVIOUS_KE/,
  )
  expect(lines(await checkKeys(otherKey))[0]).toMatch(
    /^fail No key opens 2 values of two-factor logins/,
  )
  expect(lines(await checkKeys(Buffer.alloc(32, 'ab')))[0]).toMatch(
    /^fail APP_KEY, .* is not random/,
  )
})

test('the advice on failed jobs is in the singular for one job and in the plural for two', async () => {
  const app = await testApp()
  const failOne = async () => {
    await addFailedJob(app.db, { name: 'VerifyMail', error: '550 no', tries: 10, at: app.now() })
    return (await jobFindings(app.now(), app.db))[0]
  }
  expect(await failOne()).toMatchObject({
    finding: '1 job failed for good, the last one VerifyMail.',
    advice: expect.stringMatching(/ runs it again\.$/),
  })
  expect(await failOne()).toMatchObject({
    finding: '2 jobs failed for good, the last one VerifyMail.',
    advice: expect.stringMatching(/ runs them again\.$/),
  })
})

test('doctor reports migrations that are pending, changed or of a later version', () => {
  const ran = migrations.map(({ name }) => ({ name, hash: 'of another text' }))
  const later = { name: '20990101000000_later.sql', hash: '' }
  const [first] = migrations
  expect(lines(migrationFindings(migrations, []))).toEqual([
    `fail ${migrations.length} migrations did not run yet, from ${first?.name} on.`,
  ])
  expect(lines(migrationFindings(migrations.slice(0, 1), ran.slice(0, 1)))).toEqual([
    `fail ${first?.name} changed since it ran, so that no server starts.`,
  ])
  expect(lines(migrationFindings([], [later]))[0]).toMatch(/^warn .* 1 migration .*_later\.sql\.$/)
})

test('doctor reports jobs that failed for good and jobs that no worker takes', async () => {
  const app = await testApp()
  expect(lines(await jobFindings(app.now(), app.db))[0]).toMatch(/^ok/)
  const job = { name: 'VerifyMail', error: '550 no such user', tries: 10, at: app.now() }
  await addFailedJob(app.db, job)
  await addJobs(app.db, 'ResetMail', ['a@x.test'])
  const findings = await jobFindings(new Date(Date.now() + 3_600_000), app.db)
  expect(lines(findings)).toEqual([
    'fail 1 job failed for good, the last one VerifyMail.',
    'warn 1 job could have run ten minutes ago, and nobody takes it up.',
  ])
  expect(findings[0]?.advice).toContain(`\`${appName} jobs retry all\``)
})

test('doctor says of a job that only a later version knows that such a version runs it', async () => {
  const app = await testApp()
  const inAnHour = new Date(Date.now() + 3_600_000)
  await addJobs(app.db, 'VerifyMail', ['a@x.test'])
  const [known] = await jobFindings(inAnHour, app.db)
  expect(known?.advice).not.toContain('does not know')
  await addJobs(app.db, 'invoice-mail', ['a@x.test'])
  const [unknown] = await jobFindings(inAnHour, app.db)
  expect(unknown?.advice).toMatch(
    /^This version does not know jobs called invoice-mail: .* or a later one, runs them\. /,
  )
})

test('the waiting time of a retried job starts at the retry, not when it was pushed', async () => {
  const { db } = await temporaryDatabase()
  const failed = { name: 'VerifyMail', error: '550 no such user', tries: 10, at: noon }
  await addFailedJob(db, failed)
  await addFailedJob(db, failed)
  await jobs.retry(db, { id: 1, at: later(3_600_000) })
  await jobs.retrySome(db, { most: 10, at: later(3_600_000) })
  expect(lines(await jobFindings(later(3_601_000), db))[0]).toMatch(/^ok/)
  expect(lines(await jobFindings(later(3_600_000 + 601_000), db))).toEqual([
    'warn 2 jobs could have run ten minutes ago, and nobody takes them up.',
  ])
})

/** Opens an app whose mails all fail; `checkJobs` returns the findings on jobs after this many failed runs. */
async function withoutMail() {
  const app = await testApp({ workers: true })
  app.outbox.failNext(100)
  const failed = () => app.logLines.filter(({ message }) => message === 'job failed')
  const checkJobs = async (runs: number) => {
    await expect.poll(failed).toHaveLength(runs)
    return jobFindings(app.now(), app.db)
  }
  const forget = (email: string) =>
    app.db.transaction((tx) => push(app, tx, 'ResetMail', { email }))
  return { app, forget, checkJobs }
}

test('doctor reports a mail with its error once it has failed three times', async () => {
  const { app, forget, checkJobs } = await withoutMail()
  const { emailKey } = await addUser(app.db)
  await forget(emailKey)
  const first = await checkJobs(1)
  await app.pass({ seconds: 10 })
  const second = await checkJobs(2)
  await app.pass({ seconds: 30 })
  const third = await checkJobs(3)
  const well = ['ok None has failed for good, and none waits long.']
  expect([lines(first), lines(second)]).toEqual([well, well])
  expect(lines(third)).toEqual([
    'warn 1 job failed at its last run and will run again, the newest one ResetMail: The outbox was told to fail.',
  ])
  expect(third[0]?.advice).toContain(`\`${appName} mail test <address>\``)
})

test('doctor warns of five jobs that failed once, but not of four', async () => {
  const { app, forget, checkJobs } = await withoutMail()
  const { emailKey } = await addUser(app.db)
  for (let i = 0; i < 4; i++) await forget(emailKey)
  expect(lines(await checkJobs(4))[0]).toMatch(/^ok/)
  await forget(emailKey)
  expect(lines(await checkJobs(5))[0]).toMatch(
    /^warn 5 jobs failed at their last run and will run again, /,
  )
})

test('doctor reports a clock that is behind the times in the database or behind the newest migration', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  // Not the real ones, which are added to over time.
  const written = [{ name: '20261121090000_pets.sql', sql: '' }]
  const checkClock = (now: Date) => clockFindings({ now, migrations: written }, db)
  expect(lines(await checkClock(noon))[0]).toMatch(
    /^ok .* later than every time in the database\.$/,
  )
  expect(lines(await checkClock(new Date(noon.getTime() - 3_600_000)))[0]).toMatch(
    /^fail It says 2026-.*, but the database has a time of /,
  )
  const early = new Date('2026-11-21T08:50:00Z')
  const alone = await clockFindings({ now: early, migrations: written }, undefined)
  expect(lines(alone)[0]).toMatch(
    /^fail .*, but the newest migration has a time of 2026-11-21T09:00:00\.000Z: /,
  )
})

test('doctor does not say that the clock fits a database that it could not open', async () => {
  const written = [{ name: '20261121090000_pets.sql', sql: '' }]
  expect(lines(await clockFindings({ now: noon, migrations: written }, undefined))).toEqual([
    expect.stringMatching(/^ok It says .*, later than the newest migration of this version\.$/),
  ])
})

test('doctor logs in to the mail server, sends no mail and masks the password', async () => {
  const { config } = await testApp()
  const smtp = await startSmtp({ wantsAccount: true })
  const from = { address: 'app@x.test', name: 'App' }
  const checkMail = (password: string, port = smtp.port) =>
    mailFindings({
      ...config,
      mail: { host: '127.0.0.1', port, username: account.username, password, from },
    })
  const right = await checkMail(account.password)
  const wrong = await checkMail('not the password')
  expect(lines(right)[0]).toMatch(/^ok 127\.0\.0\.1:\d+ takes the login\./)
  expect(lines(wrong)[0]).toMatch(/^fail 127\.0\.0\.1:\d+ did not let us in: .*535 \[secret\]/)
  expect(wrong[0]?.advice).toContain('MAIL_PASSWORD')
  expect(lines(await checkMail('x', 1))[0]).toMatch(/^fail 127\.0\.0\.1:1 did not let us in/)
  expect([smtp.received, await mailFindings(config)]).toEqual([[], []])
  const open = await startSmtp({ offersLogin: false })
  expect(lines(await checkMail(account.password, open.port))[0]).toMatch(
    /^warn .* offers no login: mails /,
  )
})

test('doctor reports photos that are missing from their folder, and creates no folder', async () => {
  const { files, config, db } = await testApp()
  const app = await testApp()
  const login = await logInAs(app, await addUser(app.db))
  expect(lines(await photoFindings(config, files, db))[0]).toMatch(/^ok The folder .* will be made/)
  expect(config.files.disk === 'local' && existsSync(config.files.path)).toBe(false)
  await savePhoto(app, login, judged(png()))
  expect(lines(await photoFindings(app.config, app.files, app.db))).toHaveLength(1)
  await app.files.delete((await allUsers(app.db))[0]?.photo ?? '')
  expect(lines(await photoFindings(app.config, app.files, app.db))[1]).toBe(
    'fail 1 of the 1 newest photo could not be found, of 1 in all.',
  )
  // The disk of a database server is checked on its own machine.
  const places = [addresses.folderOf(app.config.database), 'files'].filter(Boolean)
  expect(lines(await roomFindings(app.config))).toHaveLength(places.length)
})

test('doctor reports a photo folder that cannot be created and suggests another FILES_PATH', async () => {
  const { config, db } = await testApp()
  const folder = temporaryFolder()
  symlinkSync(join(folder, 'not mounted'), join(folder, 'link'))
  writeFileSync(join(folder, 'file'), '')
  for (const name of ['link', 'link/photos', 'file', 'file/photos']) {
    const path = join(folder, name)
    const [finding] = await photoFindings(
      { ...config, files: { disk: 'local', path } },
      localFiles(path),
      db,
    )
    expect([name, finding?.state, finding?.advice]).toEqual([
      name,
      'fail',
      expect.stringMatching(/[Mm]ove .*, or set FILES_PATH to another folder\.$/),
    ])
  }
})

test('doctor warns of valid settings that may not be intended', async () => {
  const { config } = await testApp()
  const doubts = (changes: Partial<typeof config>) =>
    doubtFindings({ ...config, ...changes }, []).map(({ finding }) => finding.split(' ')[0])
  const mail = { host: 'x', port: 25, username: undefined, password: undefined }
  const well = { mail: { ...mail, from: { address: 'a@x.test', name: '' } } }
  const proxied = { origin: 'https://x.test', https: true, trustedProxies: ['loopback'] }
  expect(doubts({ ...well, ...proxied })).toEqual(['Every'])
  expect(doubts({ ...well, origin: 'http://localhost:3000' })).toEqual(['Every'])
  expect(doubts({ ...well, ...proxied, trustedProxies: [] })).toEqual(['APP_URL'])
  expect(doubts({ ...well, origin: 'http://x.test' })).toEqual(['APP_URL'])
  expect(doubts({ ...proxied, debug: true })).toEqual(['APP_DEBUG', 'MAIL_HOST'])
  const shared = { message: 'Photos are here.', advice: 'Set FILES_PATH.' }
  expect(doubtFindings({ ...config, ...well, ...proxied }, [shared])).toEqual([
    { state: 'warn', check: 'settings', finding: shared.message, advice: shared.advice },
  ])
})

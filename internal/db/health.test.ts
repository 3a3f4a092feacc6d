import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { health } from '#db/health'
import { jobs } from '#db/jobs'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { addUser } from '../testing/database/user-rows.ts'
import {
  later,
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../testing/database/database.ts'
import { addFailedJob, deleteUsers } from '../testing/database/rows.ts'
import { hashOf } from './migrate.ts'

async function open(database: DatabaseAddress) {
  const outcome = await health.inspect(database)
  if (outcome.result !== 'open') throw new Error(outcome.finding.finding)
  onTestFinished(() => outcome.inspection.close())
  return outcome.inspection
}

test('doctor, beside a running server, reports no problem and cannot write to the database', async () => {
  const { db, address } = await temporaryDatabase()
  const inspection = await open(address)
  const findings = [...(await inspection.findings()), ...(await inspection.integrity())]
  await addUser(db)
  expect(findings.length).toBeGreaterThan(1)
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(await health.hasAccounts(inspection.db)).toBe(true)
  await expect(deleteUsers(inspection.db)).rejects.toThrow()
  expect(await health.hasAccounts(db)).toBe(true)
})

test('doctor reports the address of a missing database with what to do, and does not create it', async () => {
  const nowhere = await unusedAddress()
  const outcome = await health.inspect(nowhere)
  expect(outcome).toMatchObject({
    result: 'none',
    finding: {
      state: 'fail',
      check: 'database',
      finding: expect.stringContaining(addresses.nameOf(nowhere)),
      advice: expect.stringContaining(addresses.setting),
    },
  })
  expect(await addresses.isThere(nowhere)).toBe(false)
})

test('the migrations that ran are listed by name, each with the hash of what ran', async () => {
  const { db } = await temporaryDatabase()
  expect(await health.ranMigrations(db)).toEqual(
    migrations.map(({ name, sql }) => ({ name, hash: hashOf(sql) })),
  )
})

test('a database on which no migration has run reports no migrations and no accounts', async () => {
  const db = await openDatabase(await unusedAddress())
  onTestFinished(() => db.close())
  expect(await health.ranMigrations(db)).toEqual([])
  expect(await health.hasAccounts(db)).toBe(false)
})

test('of the jobs that failed at the same moment, doctor names the one that begins their list', async () => {
  const { db } = await temporaryDatabase()
  for (const name of ['VerifyMail', 'ResetMail', 'notification-mail', 'delete-file', 'ResetMail'])
    await addFailedJob(db, { name, error: 'no', tries: 10, at: noon })
  const before = { failedAt: later(1), id: 0 }
  const [first] = await jobs.failed(db, { before, most: 1 })
  const { failed } = await health.jobs(db, noon)
  expect([first?.id, failed]).toEqual([5, { name: 'ResetMail', count: 5 }])
})

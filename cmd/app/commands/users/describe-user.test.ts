import { expect, test } from 'vitest'
import { accountFacts } from '../../../../internal/domain/accounts/account-facts.ts'
import { addLogins } from '../../../../internal/testing/database/add-logins.ts'
import { addUser } from '../../../../internal/testing/database/user-rows.ts'
import { addJobs } from '../../../../internal/testing/database/rows.ts'
import { testApp } from '../../../../internal/testing/test-app.ts'
import { describe } from './describe-user.ts'

/** Describes an account with this many logins and waiting mails. */
async function describeAccount({ logins, mails }: { logins: number; mails: number }) {
  const app = await testApp()
  const user = await addUser(app.db)
  const endsAt = new Date(app.now().getTime() + 1000)
  await app.db.transaction((tx) => addLogins(tx, { count: logins, endsAt }))
  await addJobs(app.db, 'ResetMail', Array(mails).fill(user.emailKey))
  const facts = await accountFacts(app, user)
  return { facts, description: facts && describe(facts) }
}

test('the description of an account lists at most 1,000 logins and 1,000 jobs, and counts all of them', async () => {
  const { facts, description } = await describeAccount({ logins: 1002, mails: 1001 })
  expect([facts?.logins.length, facts?.loginsInAll]).toEqual([1000, 1002])
  expect([facts?.jobs.length, facts?.jobsInAll]).toEqual([1000, 1001])
  expect(description).toContain('\n\nLogins (latest 1,000 of 1,002)\n')
  expect(description).toContain('\n\nJobs that wait or failed (oldest 1,000 of 1,001)\n')
})

test('the heading of a complete list shows only its count, and an empty list is left out', async () => {
  const { facts, description } = await describeAccount({ logins: 1000, mails: 0 })
  expect([facts?.loginsInAll, facts?.jobsInAll]).toEqual([1000, 0])
  expect(description).toContain('\n\nLogins (1,000)\n')
  expect(description).not.toContain('Jobs')
})

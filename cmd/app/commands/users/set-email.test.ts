import { expect, test } from 'vitest'
import { addUser, ann } from '../../../../internal/testing/database/user-rows.ts'
import { serve } from '../../../../internal/testing/processes/executable.ts'
import { allUsers } from '../../../../internal/testing/database/rows.ts'
import { usersWithoutServer } from '../../../../internal/testing/database/users-without-server.ts'
import { brandName } from '../../../../web/brand/brand.ts'

test('users set-email changes the email, sends a verification link to it and notifies the old email', async () => {
  const { db, users, folder, settings } = await usersWithoutServer()
  await addUser(db)
  const { code, stdout, stderr } = await users('set-email', 'ann@example.com', 'Ann@Bücher.example')
  const [user] = await allUsers(db)
  const app = await serve({ folder, settings })
  const sentMails = () => app.lines.map(({ to, subject }) => [to, subject])
  expect([code, stdout]).toEqual([
    0,
    'The email of Ann@example.com (ID 1) is Ann@Bücher.example now.\n',
  ])
  expect(stderr).toContain('A running server sends both.')
  expect([user?.email, user?.emailVerifiedAt]).toEqual(['Ann@Bücher.example', null])
  const [verify, changed] = [
    `Verify your email for ${brandName}`,
    'The email of your account was changed',
  ]
  await expect.poll(sentMails).toContainEqual([['Ann@Bücher.example'], verify])
  await expect.poll(sentMails).toContainEqual([['Ann@example.com'], changed])
})

test('users set-email changes nothing for the same email, a taken one or an invalid one', async () => {
  const { db, users } = await usersWithoutServer()
  await addUser(db)
  await addUser(db, { ...ann, name: 'Bob', email: 'bob@x.test', emailKey: 'bob@x.test' })
  const before = await allUsers(db)
  const emails = ['ANN@example.com', 'Bob@x.test', 'ann@']
  const ended = await Promise.all(emails.map((email) => users('set-email', '1', email)))
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, 'Ann@example.com (ID 1) has this email already: nothing was changed.\n'],
    [1, 'Another account has the email "Bob@x.test": nothing was changed.\n'],
    [2, 'error: "ann@" is not an email.\n'],
  ])
  expect(await allUsers(db)).toEqual(before)
})

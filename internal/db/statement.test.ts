import { expect, test } from 'vitest'
import { users } from '#db/users'
import { addUser } from '../testing/database/user-rows.ts'
import { temporaryDatabase } from '../testing/database/database.ts'
import { allUsers, verifyEmails } from '../testing/database/rows.ts'

test('an undefined or NaN value is refused, and the error names the statement', async () => {
  const { db } = await temporaryDatabase()
  const forgotten = undefined as unknown as number
  await expect(users.byId(db, forgotten)).rejects.toThrow(/^Value 1 is undefined in: SELECT /)
  await expect(users.byId(db, Number.NaN)).rejects.toThrow(/^Value 1 is NaN in: SELECT /)
})

test('an invalid time is refused, not stored as NULL', async () => {
  const { db } = await temporaryDatabase()
  await addUser(db)
  const before = await allUsers(db)
  const kept = db.transaction((tx) => verifyEmails(tx, new Date(Number.NaN)))
  await expect(kept).rejects.toThrow(/^Value 1 is Invalid Date in: UPDATE users SET /)
  expect(await allUsers(db)).toEqual(before)
})

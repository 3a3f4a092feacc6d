import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { nameIn } from '../../testing/mysql/address.ts'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { scriptIn } from '../../testing/mysql/script.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { replaceContent } from '../../testing/database/snapshots.ts'
import { openDatabase } from './driver.ts'

const rights = readFileSync('cmd/app/cluster/mysql-rights.sql', 'utf8')

test('a user with all rights on the database and those of compose.mysql.yaml can restore', async () => {
  const { db: from, address } = await temporaryDatabase()
  await addUser(from, { ...ann, name: 'New' })
  const { db: old, address: place } = await temporaryDatabase()
  await addUser(old, { ...ann, name: 'Old' })
  await old.close()
  const name = nameIn(place)
  const user = `u_${name}`.slice(0, 30)
  const granted = rights.trim().replaceAll('accounts@', `${user}@`).replaceAll('accounts', name)
  await scriptIn(
    place,
    `CREATE USER ${user}@'%' IDENTIFIED BY 'app'`,
    `GRANT ALL ON \`${name.replaceAll('_', '\\_')}\`.* TO ${user}@'%'`,
    granted.replace(/;$/, ''),
  )
  onTestFinished(() => scriptIn(address, `DROP USER ${user}@'%'`))
  const as = { url: urlOf(place).replace('//app:', `//${user}:`) }
  expect(await replaceContent(address, as)).toMatch(new RegExp(`^${name}_before_restore_\\d+$`))
  const db = await openDatabase(as)
  onTestFinished(() => db.close())
  expect((await allUsers(db)).map((one) => one.name)).toEqual(['New'])
})

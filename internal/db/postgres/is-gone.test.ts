import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { noon, temporaryDatabase } from '../../testing/database/database.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import { alterDatabase, script } from '../../testing/postgres/alter-database.ts'
import { openDatabase } from './driver.ts'
import { passkeys } from './passkeys.ts'
import { tokens } from './tokens.ts'

test.each(['', 'USAGE', 'SELECT'])(
  'a database user whose right on sequences is "%s" can look up whether a token or passkey was removed',
  async (right) => {
    const { db: owner, address } = await temporaryDatabase()
    const { id: userId } = await addUser(owner)
    const token = { userId, hash: Buffer.alloc(32), name: 'CI', abilities: '[]', at: noon }
    const id = await owner.transaction((tx) =>
      tokens.insert(tx, { ...token, expiresAt: null, most: 1 }),
    )
    const role = `some_${randomBytes(8).toString('hex')}`
    await script(
      address,
      `DELETE FROM access_tokens; CREATE ROLE ${role};
        GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
        ${right && `GRANT ${right} ON ALL SEQUENCES IN SCHEMA public TO ${role};`}`,
    )
    onTestFinished(() => script(address, `SET ROLE NONE; DROP OWNED BY ${role}; DROP ROLE ${role}`))
    await alterDatabase(address, `role = ${role}`)
    const db = await openDatabase(address)
    const gone = [await tokens.isGone(db, id ?? 0), await tokens.isGone(db, 9)]
    expect([...gone, await passkeys.isGone(db, 1)]).toEqual([right !== '', false, false])
    await db.close()
  },
)

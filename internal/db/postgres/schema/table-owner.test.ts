import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { addUser, ann } from '../../../testing/database/user-rows.ts'
import {
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../../../testing/database/database.ts'
import { urlOf } from '../../../testing/database/on-server.ts'
import { script } from '../../../testing/postgres/alter-database.ts'
import { allUsers } from '../../../testing/database/rows.ts'
import {
  buildReplacement,
  whileLocked,
  replaceContent,
} from '../../../testing/database/snapshots.ts'
import { adviceAmong } from '../../advice.ts'
import { serverOf } from '../address.ts'
import { advices } from '../advice.ts'
import { Connection } from '../connection.ts'
import { openDatabase } from '../driver.ts'
import { migrate } from '../migrations.ts'
import type { DatabaseAddress } from '../../../base/settings/config.ts'

/** Creates a role that may log in to a database and create schemas in it, and returns its address. */
async function userOf(place: DatabaseAddress): Promise<{ name: string; address: { url: string } }> {
  const name = `u_${randomBytes(8).toString('hex')}`
  await script(
    place,
    `CREATE ROLE ${name} LOGIN; GRANT CREATE ON DATABASE ${serverOf(place).database} TO ${name}`,
  )
  onTestFinished(() => script(place, `DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`))
  return { name, address: { url: urlOf(place).replace(/\/\/[^@]*@/, `//${name}@`) } }
}

/** Creates a database whose tables belong to a role of their own. `place`: its address for a superuser. */
async function ownedByItsServers() {
  const place = await unusedAddress()
  const owner = await userOf(place)
  await script(place, `GRANT ALL ON SCHEMA public TO ${owner.name}`)
  await migrate(owner.address, migrations, noon)
  return { place, owner }
}

async function withAnn(): Promise<DatabaseAddress> {
  const { db, address } = await temporaryDatabase()
  await addUser(db, ann)
  return address
}

/** Returns the owners of the tables and sequences, by schema. */
async function ownersIn(place: DatabaseAddress): Promise<unknown[][]> {
  const connection = await Connection.open(serverOf(place))
  const rows = await connection.rows(
    `SELECT DISTINCT nspname, pg_get_userbyid(relowner)
    FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'S') AND nspname !~ '^(pg_|information_schema)' ORDER BY 1`,
  )
  await connection.end()
  return rows
}

test('what a superuser restores belongs to the tables’ owner, who can use the new and the old tables', async () => {
  const { place, owner } = await ownedByItsServers()
  const aside = (await replaceContent(await withAnn(), place)) ?? ''
  expect(await migrate(owner.address, migrations, noon)).toEqual([])
  const db = await openDatabase(owner.address)
  onTestFinished(() => db.close())
  await addUser(db, { ...ann, email: 'b@x.test', emailKey: 'b@x.test' })
  expect(await allUsers(db)).toHaveLength(2)
  expect(await ownersIn(place)).toEqual([
    [aside, owner.name],
    ['public', owner.name],
  ])
  await script(owner.address, `DROP SCHEMA ${aside} CASCADE`)
})

test('tables restored by a member of the owner’s role belong to the owner', async () => {
  const { place, owner } = await ownedByItsServers()
  const other = await userOf(place)
  await script(place, `GRANT ${owner.name} TO ${other.name}`)
  const aside = await replaceContent(await withAnn(), other.address)
  expect(await ownersIn(place)).toEqual([
    [aside, owner.name],
    ['public', owner.name],
  ])
})

test('a restore by a user who may not act as the tables’ owner is refused, and names whom to use', async () => {
  const { place, owner } = await ownedByItsServers()
  const other = await userOf(place)
  const held = () => whileLocked(other.address, () => Promise.resolve())
  const refusal = `The tables belong to "${owner.name}", and "${other.name}" may not make new ones for it: to restore, set DB_URL to the user "${owner.name}", or to a superuser.`
  await expect(held()).rejects.toThrow(refusal)
  await script(place, `GRANT ${owner.name} TO ${other.name} WITH INHERIT TRUE, SET FALSE`)
  await expect(held()).rejects.toThrow(refusal)
})

test('restored tables stay in their schema even if their owner has a schema of the owner’s name', async () => {
  const { place, owner } = await ownedByItsServers()
  await script(place, `CREATE SCHEMA ${owner.name} AUTHORIZATION ${owner.name}`)
  const aside = await replaceContent(await withAnn(), place)
  expect(await ownersIn(place)).toEqual([
    [aside, owner.name],
    ['public', owner.name],
  ])
})

/** Returns the advice for a user who cannot create new tables beside the existing ones. */
async function adviceIn(place: DatabaseAddress): Promise<string | undefined> {
  const built = whileLocked(place, (held) => buildReplacement(held))
  return adviceAmong(advices, await built.catch((error: unknown) => error))
}

test('if the tables’ owner may no longer create tables, restore says what to grant to the owner', async () => {
  const { place, owner } = await ownedByItsServers()
  await script(place, `REVOKE CREATE ON SCHEMA public FROM ${owner.name}`)
  expect(await adviceIn(place)).toBe(
    `Have its owner run GRANT USAGE, CREATE ON SCHEMA "public" TO "${owner.name}".`,
  )
})

test('if the user may not create schemas, restore says what to grant to the user', async () => {
  const { place, owner } = await ownedByItsServers()
  const { database } = serverOf(place)
  await script(place, `REVOKE CREATE ON DATABASE ${database} FROM ${owner.name}`)
  expect(await adviceIn(owner.address)).toBe(
    `Have its owner run GRANT CREATE ON DATABASE "${database}" TO "${owner.name}": a restore makes schemas in it.`,
  )
})

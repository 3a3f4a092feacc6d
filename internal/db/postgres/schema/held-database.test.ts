import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { addUser, ann } from '../../../testing/database/user-rows.ts'
import {
  migrations,
  noon,
  temporaryDatabase,
  unusedAddress,
} from '../../../testing/database/database.ts'
import { alterDatabase, script } from '../../../testing/postgres/alter-database.ts'
import { migratedIn } from '../../../testing/postgres/migrated.ts'
import { objects } from '../../../testing/postgres/objects.ts'
import {
  buildReplacement,
  whileLocked,
  replaceContent,
} from '../../../testing/database/snapshots.ts'
import { adviceAmong } from '../../advice.ts'
import { serverOf } from '../address.ts'
import { advices } from '../advice.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import type { DatabaseAddress } from '../../../base/settings/config.ts'
import type { Migration } from '../../migrate.ts'

/** One of each kind of object that a schema has besides tables. */
const everything: Migration = {
  name: '29991231000000_everything.sql',
  sql: `
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX users_name ON users USING gin (name gin_trgm_ops);
    CREATE TYPE mood AS ENUM ('good', 'bad');
    CREATE TYPE pair AS (a integer, b integer);
    CREATE DOMAIN small AS integer CHECK (VALUE < 10);
    CREATE SEQUENCE numbers;
    CREATE COLLATION exactly (provider = builtin, locale = 'C');
    CREATE FUNCTION add(a small, b small) RETURNS integer LANGUAGE sql IMMUTABLE RETURN a + b;
    CREATE FUNCTION name_of(a users) RETURNS text LANGUAGE sql RETURN a.name;
    CREATE FUNCTION add(a mood) RETURNS mood LANGUAGE sql IMMUTABLE RETURN a;
    CREATE PROCEDURE rest() LANGUAGE sql AS 'SELECT 1';
    CREATE AGGREGATE total(integer) (SFUNC = int4pl, STYPE = integer, INITCOND = '0');
    CREATE AGGREGATE total(*) (SFUNC = int8inc, STYPE = bigint, INITCOND = '0');
    CREATE OPERATOR @+@ (FUNCTION = add, LEFTARG = small, RIGHTARG = small);
    CREATE OPERATOR CLASS plain FOR TYPE integer USING btree AS FUNCTION 1 btint4cmp(integer, integer);
    CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple);
    CREATE STATISTICS correlated ON name, email FROM users;
    CREATE VIEW names AS SELECT name FROM users;
    CREATE MATERIALIZED VIEW kept_names AS SELECT name FROM names;
    CREATE MATERIALIZED VIEW empty_names AS SELECT name FROM kept_names WITH NO DATA;
    CREATE RULE quiet AS ON DELETE TO names DO INSTEAD NOTHING;`,
}

const made = [...migrations, everything]

async function fullOf(name: string): Promise<DatabaseAddress> {
  const { db, address } = await temporaryDatabase()
  await migrate(address, made, noon)
  await addUser(db, { ...ann, name })
  await script(address, 'REFRESH MATERIALIZED VIEW kept_names')
  await db.close()
  return address
}

async function rowsIn(address: DatabaseAddress, text: string): Promise<unknown[][]> {
  const connection = await Connection.open(serverOf(address))
  const rows = await connection.rows(text)
  await connection.end()
  return rows
}

test('a restore recreates all other objects of migrations, and keeps the old ones with the old tables', async () => {
  const [address, place] = [await fullOf('New'), await fullOf('Old')]
  const aside = (await replaceContent(address, place, made)) ?? ''
  const names = (schema: string) =>
    rowsIn(
      place,
      `SELECT (SELECT name FROM ${schema}.names), (SELECT name FROM ${schema}.kept_names), ${schema}.add(1, 2)`,
    )
  expect([await names('public'), await names(aside)]).toEqual([
    [['New', 'New', 3]],
    [['Old', 'Old', 3]],
  ])
  const membersIn = (schema: string) =>
    rowsIn(
      place,
      `SELECT i.type, i.name FROM pg_depend d
      CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS i
      WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = '${schema}'::regnamespace
        AND i.type <> 'extension' AND NOT EXISTS (
          SELECT 1 FROM pg_depend e WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e')
      ORDER BY i.type, i.name`,
    )
  expect((await membersIn('public')).length).toBeGreaterThan(30)
  expect(await membersIn(aside)).toEqual(await membersIn('public'))
  expect(await rowsIn(place, `SELECT 1 FROM users WHERE name % 'New'`)).toEqual([[1]])
})

test('a restore preserves which triggers are enabled and which materialized views are populated', async () => {
  const sql = `${everything.sql}; ${objects.sql.replace(/CREATE VIEW.*/, '')}
    CREATE TRIGGER off AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION note();
    CREATE TRIGGER ever AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION note();
    ALTER TABLE users DISABLE TRIGGER off, ENABLE ALWAYS TRIGGER ever;`
  const own = [...migrations, { ...everything, sql }]
  const address = await migratedIn('', noon)
  await migrate(address, own, noon)
  const place = await unusedAddress()
  await replaceContent(address, place, own)
  const states = 'SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1'
  expect(await rowsIn(place, states)).toEqual([
    ['ever', 'A'],
    ['note_users', 'O'],
    ['off', 'D'],
  ])
  const filled = 'SELECT relname, relispopulated FROM pg_class WHERE relkind = $$m$$ ORDER BY 1'
  expect(await rowsIn(place, filled)).toEqual([
    ['empty_names', false],
    ['kept_names', true],
  ])
})

test('a restore gathers statistics of what it puts in place, and of nothing else', async () => {
  const [address, place] = [await fullOf('New'), await fullOf('Old')]
  await replaceContent(address, place, made)
  // -1 if statistics were never gathered.
  const counted = await rowsIn(
    place,
    `SELECT n.nspname, c.relname
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname IN ('kept_names', 'migrations', 'users') AND c.reltuples >= 0
    ORDER BY 1, 2`,
  )
  expect(counted).toEqual([
    ['public', 'kept_names'],
    ['public', 'migrations'],
    ['public', 'users'],
  ])
})

/** Creates a database used by a role with just the rights for a restore, which owns what it migrates. */
async function ownedBySomebody(): Promise<DatabaseAddress> {
  const address = await unusedAddress()
  const role = `own_${randomBytes(8).toString('hex')}`
  const { database } = serverOf(address)
  await script(
    address,
    `CREATE ROLE ${role}; GRANT CREATE ON DATABASE ${database} TO ${role}; GRANT ALL ON SCHEMA public TO ${role}`,
  )
  onTestFinished(() => script(address, `SET ROLE NONE; DROP OWNED BY ${role}; DROP ROLE ${role}`))
  await alterDatabase(address, `role = ${role}`)
  return address
}

test('a restore leaves another user’s view in place, and refuses another user’s table before any row is read', async () => {
  const address = await migratedIn('', noon)
  const place = await ownedBySomebody()
  await migrate(place, [...migrations, objects], noon)
  await script(
    place,
    `SET ROLE NONE; CREATE EXTENSION pg_trgm; CREATE VIEW theirs AS SELECT 1; GRANT ALL ON theirs TO PUBLIC`,
  )
  await script(place, 'SET ROLE NONE; CREATE TABLE foreign_one ()')
  // It is given no rows yet.
  const built = whileLocked(place, (held) => buildReplacement(held))
  await expect(built).rejects.toThrow('must be owner of table foreign_one')
  await script(place, 'SET ROLE NONE; DROP TABLE foreign_one')
  await replaceContent(address, place, migrations)
  expect(await rowsIn(place, 'SELECT * FROM theirs')).toEqual([[1]])
})

test('an extension that a migration creates without IF NOT EXISTS fails a restore before any row is read', async () => {
  const own = { ...everything, sql: 'CREATE EXTENSION pg_trgm' }
  const place = await migratedIn('', noon)
  await migrate(place, [...migrations, own], noon)
  // It is given no rows yet.
  const built = whileLocked(place, (held) => buildReplacement(held, [...migrations, own]))
  const error: unknown = await built.catch((error: unknown) => error)
  expect(adviceAmong(advices, error)).toBe(
    'Restore into an empty database, and set DB_URL to it: a database has each extension once, and that migration makes it without IF NOT EXISTS.',
  )
})

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import { settingOf, temporaryDatabase, unusedAddress } from '../../testing/database/database.ts'
import { emptyFolder, requiredSettings, run } from '../../testing/processes/executable.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { script } from '../../testing/postgres/alter-database.ts'
import { withServer } from '../../testing/postgres/server.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Changes a setting for every new connection to the database. */
async function setIn(database: DatabaseAddress, setting: string): Promise<void> {
  await withServer((ask) => ask(`ALTER DATABASE ${serverOf(database).database} SET ${setting}`))
}

/** Returns the URL of a database for a new role that owns nothing in it. */
async function asStranger({ url }: { url: string }): Promise<{ name: string; url: string }> {
  const name = `u_${randomBytes(8).toString('hex')}`
  await withServer((ask) => ask(`CREATE ROLE ${name} LOGIN`))
  onTestFinished(() => withServer((ask) => ask(`DROP ROLE ${name}`)))
  return { name, url: url.replace(/\/\/[^@]*@/, `//${name}@`) }
}

/** Returns what a command that fails on the database at this URL writes to standard error. */
async function stderrOf(words: readonly string[], url: string): Promise<string> {
  const { code, stderr } = await run(words, {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stderr]).toEqual([1, expect.any(String)])
  return stderr
}

test('migrate and serve report a database user who may not create tables, with the right to grant', async () => {
  const { name, url } = await asStranger({ url: urlOf(await unusedAddress()) })
  const advice = `Have its owner run GRANT USAGE, CREATE ON SCHEMA "public" TO "${name}"\\.`
  const expected = new RegExp(
    `^${appName}: The migration \\S+ failed, and left nothing: permission denied for schema public\\. ${advice}\\n$`,
  )
  expect(await stderrOf(['migrate'], url)).toMatch(expected)
  expect(await stderrOf(['serve'], url)).toMatch(expected)
})

/** Returns the GRANTs for a role that lacks rights on the tables. */
function adviceFor(role: string): string {
  const grant = (objects: string) => `GRANT ALL ON ALL ${objects} IN SCHEMA "public" TO "${role}"`
  return `Have its owner run ${grant('TABLES')} and ${grant('SEQUENCES')}; to migrate and to restore "${role}" must own them.`
}

/** Makes a backup of a database. */
async function backupOf(database: DatabaseAddress): Promise<string> {
  const archive = join(emptyFolder(), 'app.tar')
  await run(['backup', archive], {
    settings: { ...(await requiredSettings()), ...settingOf(database) },
  })
  return archive
}

test('commands report the missing right to read the tables, and restore names the tables’ owner', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { name, url } = await asStranger({ url: urlOf(address) })
  expect(await stderrOf(['users', 'list'], url)).toBe(
    `${appName}: The database refused: permission denied for table migrations. ${adviceFor(name)}\n`,
  )
  const { user } = serverOf(address)
  expect(await stderrOf(['restore', await backupOf(address)], url)).toBe(
    `${appName}: The tables belong to "${user}", and "${name}" may not make new ones for it: to restore, set DB_URL to the user "${user}", or to a superuser.\n`,
  )
})

test('doctor and serve report a database user who may only read', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { name, url } = await asStranger({ url: urlOf(address) })
  await script(address, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`)
  onTestFinished(() => script(address, `DROP OWNED BY ${name}`))
  expect(await stderrOf(['serve'], url)).toContain(
    `: The database refused: permission denied for table users. ${adviceFor(name)}`,
  )
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fail  database: The user in DB_URL may not write .*\busers\b.*: servers fail there\. Have its owner run GRANT ALL ON/m,
    ),
  ])
  expect(stdout).toContain(adviceFor(name))
})

test('doctor and backup report a database user who may not read the sequences, with the GRANT to run', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { name, url } = await asStranger({ url: urlOf(address) })
  await script(address, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`)
  onTestFinished(() => script(address, `DROP OWNED BY ${name}`))
  const settings = { ...(await requiredSettings()), DB_URL: url }
  const grant = `GRANT SELECT ON ALL SEQUENCES IN SCHEMA "public" TO "${name}"`
  const unread = 'public\\.access_tokens_id_seq, .*, public\\.users_id_seq'
  const archive = join(emptyFolder(), 'app.tar')
  expect(await stderrOf(['backup', archive], url)).toMatch(
    new RegExp(
      `^${appName}: The user in DB_URL may not read the sequences ${unread}, so there is no backup: have their owner run ${grant}\\.\\n$`,
    ),
  )
  const lacking = await run(['doctor'], { settings })
  expect([lacking.code, lacking.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^fail {2}database: The user in DB_URL may not read the sequences ${unread}: there can be no backup\\. Have their owner run ${grant}\\.$`,
        'm',
      ),
    ),
  ])
  await script(address, grant)
  const [backedUp, examined] = [
    await run(['backup', archive], { settings }),
    await run(['doctor'], { settings }),
  ]
  expect([backedUp.code, examined.code]).toEqual([0, 0])
})

test('doctor reports a database user who may do everything but update rows', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { name, url } = await asStranger({ url: urlOf(address) })
  await script(address, `GRANT SELECT, INSERT, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`)
  onTestFinished(() => script(address, `DROP OWNED BY ${name}`))
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^fail  database: The user in DB_URL may not write .*\busers\b/m),
  ])
})

test('a full disk of the database server is reported with what to do', async () => {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  await db.close()
  await script(
    address,
    `CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file "1"' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER filled BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION fill()`,
  )
  expect(await stderrOf(['users', 'set-email', '1', 'new@x.test'], urlOf(address))).toBe(
    `${appName}: The database refused: could not extend file "1". Make room on the disk of the database server, and try again.\n`,
  )
})

test('migrate and restore report a search_path that names no existing schema', async () => {
  const url = `${urlOf(await unusedAddress())}?search_path=nope`
  expect(await stderrOf(['migrate'], url)).toMatch(
    /: no schema has been selected to create in\. Make the schema .*, or set search_path .*\.\n$/,
  )
  const { address } = await temporaryDatabase()
  expect(await stderrOf(['restore', await backupOf(address)], url)).toMatch(
    /: The database refused: no schema has been selected to restore in\. Make the schema /,
  )
})

test('migrate and doctor tell a database user who may not use the schema what to have granted', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { url } = await asStranger({ url: urlOf(address) })
  await script(address, 'REVOKE USAGE ON SCHEMA public FROM PUBLIC')
  expect(await stderrOf(['migrate'], url)).toContain(
    'where that is right, have its owner run GRANT USAGE, CREATE ON SCHEMA … TO the user in DB_URL.',
  )
  const settings = { ...(await requiredSettings()), DB_URL: url }
  const { code, stdout } = await run(['doctor'], { settings })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fail {2}database: There is no .*, or no table in it that its user may see\. Set DB_URL to .*, with a user who may use its schema\. /m,
    ),
  ])
})

test('environment variables of other PostgreSQL programs have no effect', async () => {
  const { address } = await temporaryDatabase()
  const others = {
    PGTARGETSESSIONATTRS: 'bogus',
    PGDEBUG: '1',
    PGSSLNEGOTIATION: 'direct',
    PGHOST: 'nowhere.test',
  }
  const settings = { ...(await requiredSettings()), ...settingOf(address), ...others }
  expect(await run(['users', 'list'], { settings })).toMatchObject({ code: 0, stderr: '' })
})

test('a command on a server that accepts no writes says how to turn writes on', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  await setIn(address, 'default_transaction_read_only = on')
  expect(await stderrOf(['users', 'logout', String(id)], urlOf(address))).toMatch(
    /: The database could not be asked: cannot execute [A-Z ]+ in a read-only transaction\. Set DB_URL .*default_transaction_read_only off .*\.\n$/,
  )
})

test('doctor reports a server that accepts no writes', async () => {
  const { address } = await temporaryDatabase()
  await setIn(address, 'default_transaction_read_only = on')
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), ...settingOf(address) },
  })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fail  database: The database accepts no writes: default_transaction_read_only is on, .* Turn it off there, /m,
    ),
  ])
})

test('doctor reports a table that another program has locked, and everything else', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const other = await Connection.open(serverOf(address))
  onTestFinished(() => other.end())
  await other.script('BEGIN; LOCK TABLE users')
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), ...settingOf(address) },
  })
  const locked =
    /^fail {2}(\w+): .*canceling statement due to \w+ timeout\. Try again, and look for what keeps the database busy/gm
  expect([code, Array.from(stdout.matchAll(locked), ([, check]) => check)]).toEqual([
    1,
    ['key', 'database', 'integrity', 'photos', 'clock'],
  ])
  expect(stdout).toMatch(/^ok {4}migrations: /m)
})

test('doctor and commands name the URL whose schema has no tables', async () => {
  const { address } = await temporaryDatabase()
  const url = `${urlOf(address)}?search_path=nope`
  const settings = { ...(await requiredSettings()), DB_URL: url }
  const { code, stdout } = await run(['doctor'], { settings })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fail  database: There is no database postgres:\S+\?search_path=nope, or no table in it that its user may see\. /m,
    ),
  ])
  expect(await stderrOf(['users', 'list'], url)).toContain(
    '?search_path=nope, or nothing in it: set DB_URL',
  )
})

test('a statement ended by the server’s own statement_timeout is reported with what to check', async () => {
  const { address } = await temporaryDatabase()
  await setIn(address, 'statement_timeout = 300')
  const connection = await Connection.open(serverOf(address))
  await connection.script('SET statement_timeout = 0; BEGIN; LOCK TABLE users')
  // Behind a pooler the server's own limits apply.
  const stderr = await stderrOf(['users', 'list'], `${urlOf(address)}?prepare=false`)
  await connection.end()
  expect(stderr).toBe(
    `${appName}: The database could not be asked: canceling statement due to statement timeout. Try again, and look for what keeps the database busy; behind a pooler the statement_timeout of the user in DB_URL may be too short.\n`,
  )
})

test('an invalid search_path, and a database that allows no connections, are reported with what to do', async () => {
  const address = await unusedAddress()
  const { database } = serverOf(address)
  expect(await stderrOf(['migrate'], `${urlOf(address)}?search_path=a%20b`)).toMatch(
    /: The database server \S+ refuses how the connection is set: mend search_path in DB_URL, .* \(it says: invalid value for parameter "search_path": "a b"\)\.\n$/,
  )
  await withServer((ask) => ask(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`))
  expect(await stderrOf(['migrate'], urlOf(address))).toMatch(
    /: The database server \S+ lets nobody into the database "\w+": say ALTER DATABASE .* ALLOW_CONNECTIONS true, .*\.\n$/,
  )
})

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import {
  migrations,
  noon,
  settingOf,
  temporaryDatabase,
  unusedAddress,
} from '../../testing/database/database.ts'
import { emptyFolder, requiredSettings, run } from '../../testing/processes/executable.ts'
import { nameIn } from '../../testing/mysql/address.ts'
import { scriptIn } from '../../testing/mysql/script.ts'
import { securedServer } from '../../testing/mysql/secured-server.ts'
import { startDurableServer } from '../../testing/mysql/durable-server.ts'
import { urlOf, urlWith } from '../../testing/database/on-server.ts'
import { DatabaseBusy } from '../db.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './driver.ts'
import { migrate } from './migrations.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Returns the URL of a database for a new user with these rights in it. */
async function as(rights: string, address: DatabaseAddress): Promise<string> {
  const name = nameIn(address)
  const user = `u_${name}`.slice(0, 30)
  await scriptIn(
    address,
    `CREATE USER ${user}@'%' IDENTIFIED BY 'app'`,
    `GRANT ${rights} ON \`${name.replaceAll('_', '\\_')}\`.* TO ${user}@'%'`,
  )
  onTestFinished(() => scriptIn(address, `DROP USER ${user}@'%'`))
  return urlOf(address).replace('//app:', `//${user}:`)
}

/** Returns what a command that fails on the database at this URL writes to standard error. */
async function stderrOf(words: readonly string[], url: string): Promise<string> {
  const { code, stderr } = await run(words, {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stderr]).toEqual([1, expect.any(String)])
  return stderr
}

const onlyReads =
  /^fail  database: The user in DB_URL may not write access_tokens, .*, users: servers fail there\. Have the user in DB_URL get it by GRANT ALL/m

/** Returns a pattern for the GRANT that gives the user all rights on the database at this URL. */
function grantOn(url: string): string {
  const name = new URL(url).pathname.slice(1).replaceAll('_', String.raw`\\_`)
  return `Have the user in DB_URL get it by GRANT ALL ON \`${name}\`\\.\\*; to restore they need it on those too whose names begin with its name and "_"\\.`
}

test('doctor reports a table that another program has locked, and everything else', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const other = await Connection.open(serverOf(address))
  onTestFinished(() => other.end())
  await other.script('LOCK TABLES users WRITE, jobs WRITE')
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), ...settingOf(address) },
  })
  const locked =
    /^fail {2}(\w+): .*Lock wait timeout exceeded; .*\. Try again, and look for what keeps the database busy\.$/gm
  expect([code, Array.from(stdout.matchAll(locked), ([, check]) => check)]).toEqual([
    1,
    ['key', 'database', 'integrity', 'jobs', 'photos', 'clock'],
  ])
  expect(stdout).toMatch(/^ok {4}migrations: /m)
})

test('migrate and serve report a database user who may not create tables, with the right to grant', async () => {
  const url = await as('SELECT', await unusedAddress())
  const expected = new RegExp(
    `^${appName}: .*CREATE command denied to user .*\\. ${grantOn(url)}\\n$`,
  )
  expect(await stderrOf(['migrate'], url)).toMatch(expected)
  expect(await stderrOf(['serve'], url)).toMatch(expected)
})

test('doctor and serve report a database user who may only read', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const url = await as('SELECT', address)
  expect(await stderrOf(['serve'], url)).toMatch(
    new RegExp(
      `^${appName}: The database refused: UPDATE command denied .* 'users'\\. ${grantOn(url)}\\n$`,
    ),
  )
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stdout]).toEqual([1, expect.stringMatching(onlyReads)])
})

test('doctor reports a database user who may do everything but update rows', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const { code, stdout } = await run(['doctor'], {
    settings: {
      ...(await requiredSettings()),
      DB_URL: await as('SELECT, INSERT, DELETE', address),
    },
  })
  expect([code, stdout]).toEqual([1, expect.stringMatching(onlyReads)])
})

test('a full disk of the database server is reported with what to do', async () => {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  await db.close()
  await scriptIn(
    address,
    `CREATE TRIGGER filled BEFORE UPDATE ON users FOR EACH ROW
      SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table ''users'' is full'`,
  )
  expect(await stderrOf(['users', 'set-email', '1', 'new@x.test'], urlOf(address))).toBe(
    `${appName}: The database refused: The table 'users' is full. Make room on the disk of the database server, and try again.\n`,
  )
})

test('restore reports a database user who may not create databases, with the right to grant', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const url = await as('ALL', address)
  const archive = join(emptyFolder(), 'app.tar')
  await run(['backup', archive], {
    settings: { ...(await requiredSettings()), ...settingOf(address) },
  })
  expect(await stderrOf(['restore', archive], url)).toMatch(
    new RegExp(
      `^${appName}: The database refused: Access denied for user .* to database '\\w+_restoring_\\d+'\\. ${grantOn(url)}\\n$`,
    ),
  )
})

/** Starts a server for the test, with an account; returns its database and the account's ID. */
async function ownServer(): Promise<{ address: DatabaseAddress; url: string; id: string }> {
  const { port } = await securedServer('CREATE DATABASE accounts')
  const url = `mysql://app:app@127.0.0.1:${port}/accounts`
  await migrate({ url }, migrations, noon)
  const db = await openDatabase({ url })
  const { id } = await addUser(db)
  await db.close()
  return { address: { url }, url, id: String(id) }
}

test('a command on a server that accepts no writes says how to turn writes on', async () => {
  const { address, url, id } = await ownServer()
  await scriptIn(address, 'SET GLOBAL transaction_read_only = ON')
  expect(await stderrOf(['users', 'logout', id], url)).toBe(
    `${appName}: The database could not be asked: Cannot execute statement in a READ ONLY transaction. Set DB_URL to a server that accepts writes, or turn read_only and transaction_read_only off there.\n`,
  )
})

test('commands and doctor report binlog_format=STATEMENT, and writes work again once it is ROW', async () => {
  const own = await startDurableServer([
    '--log-bin=log',
    '--server-id=1',
    '--binlog-format=STATEMENT',
  ])
  await scriptIn({ url: own.url }, 'CREATE DATABASE accounts')
  const url = own.url.replace(/mysql$/, 'accounts')
  const advice = 'Set binlog_format of the server to ROW, which is the default: '
  expect(await stderrOf(['migrate'], url)).toContain(advice)
  await scriptIn({ url }, 'SET GLOBAL binlog_format = ROW')
  await migrate({ url }, migrations, noon)
  await scriptIn({ url }, 'SET GLOBAL binlog_format = STATEMENT')
  const { stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect(stdout).toMatch(
    /^fail  database: The database server accepts no writes: it logs them as statements .* Set binlog_format /m,
  )
  const other = await openDatabase({ url })
  onTestFinished(() => other.close())
  await expect(addUser(other)).rejects.toThrow(DatabaseBusy)
  await scriptIn({ url }, 'SET GLOBAL binlog_format = ROW')
  await expect(addUser(other)).resolves.toMatchObject({ id: 1 })
})

test('doctor reports a server that accepts no writes', async () => {
  const { address, url } = await ownServer()
  await scriptIn(address, 'SET GLOBAL transaction_read_only = ON')
  const { code, stdout } = await run(['doctor'], {
    settings: { ...(await requiredSettings()), DB_URL: url },
  })
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fail  database: The database server accepts no writes: transaction_read_only is on\. Turn it off, /m,
    ),
  ])
})

test('backup refuses a database whose first migration stopped half-way, and says what to do', async () => {
  const address = await unusedAddress()
  const [first] = migrations
  const wrong = {
    name: first?.name ?? '',
    sql: 'CREATE TABLE users (id INTEGER); CREATE TABLE users (id INTEGER)',
  }
  await migrate(address, [wrong], noon).catch(() => {})
  expect(await stderrOf(['backup', join(emptyFolder(), 'app.tar')], urlOf(address))).toBe(
    `${appName}: The migration ${wrong.name} failed, and stopped half-way at statement 2 of 2: it was cut short. The one before it holds; look whether this one does. Then either undo what holds and run DELETE FROM migration_under_way, or run the rest by hand and run UPDATE migration_under_way SET finished = TRUE; then start again.\n`,
  )
})

test('restore reports a database name that is too long for the suffix it adds', async () => {
  const { db, address } = await temporaryDatabase()
  await db.close()
  const archive = join(emptyFolder(), 'app.tar')
  await run(['backup', archive], {
    settings: { ...(await requiredSettings()), ...settingOf(address) },
  })
  const long = nameIn(address).padEnd(60, '_')
  await scriptIn(address, `CREATE DATABASE ${long}`)
  expect(await stderrOf(['restore', archive], urlWith(address, long))).toMatch(
    /: The database refused: Identifier name '.*' is too long\. Keep the accounts in a database whose name has at most 31 letters: .*\.\n$/,
  )
})

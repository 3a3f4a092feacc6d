import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import {
  emptyFolder,
  otherUser,
  requiredSettings,
  run,
} from '../../testing/processes/executable.ts'
import { databaseOf } from '../../testing/sqlite/address.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import { userNamesIn } from '../../testing/database/backups.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { executable } from '../../testing/processes/build.ts'
import { adviceAmong } from '../advice.ts'
import { fileOf } from './address.ts'
import { advices } from './advice.ts'
import { openWriter } from './connection.ts'
import { openDatabase } from './driver.ts'

/** Creates a folder with a database of Ann that nobody has open, and a backup of it. */
async function backedUp() {
  const folder = emptyFolder()
  const place = { folder, settings: { ...(await requiredSettings()), FILES_PATH: 'files' } }
  const database = await databaseOf(folder)
  await run(['migrate'], place)
  const db = await openDatabase(database)
  await addUser(db)
  await db.close()
  await run(['backup', 'app.tar'], place)
  return { place, folder, database }
}

/** Overwrites the list of tables, but keeps the header that identifies the file as a database. */
function spoil(database: DatabaseAddress): void {
  const bytes = readFileSync(fileOf(database))
  writeFileSync(fileOf(database), bytes.fill(0x5a, 100, 4096))
}

test('restore replaces a damaged database with a backup and keeps the damaged one', async () => {
  const [spoilt, cut] = [await backedUp(), await backedUp()]
  spoil(spoilt.database)
  truncateSync(fileOf(cut.database), 50_000)
  const restored = [
    await run(['restore', 'app.tar'], spoilt.place),
    await run(['restore', 'app.tar'], cut.place),
  ]
  expect(restored.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  const names = [await userNamesIn(spoilt.database), await userNamesIn(cut.database)]
  const aside = [spoilt, cut].map(({ folder }) =>
    readdirSync(folder).filter((name) => /\.db\.before-restore-\w+$/.test(name)),
  )
  expect(names).toEqual([['Ann'], ['Ann']])
  expect(aside.map(({ length }) => length)).toEqual([1, 1])
  expect(restored[0]?.stdout).toContain(`is kept as ${fileOf(spoilt.database)}.before-restore-`)
})

test('other commands on a damaged database say how to replace it', async () => {
  const [spoilt, cut] = [await backedUp(), await backedUp()]
  spoil(spoilt.database)
  truncateSync(fileOf(cut.database), 50_000)
  const ended = await Promise.all([
    run(['users', 'list'], spoilt.place),
    run(['users', 'list'], cut.place),
    run(['serve'], cut.place),
  ])
  const expected = new RegExp(
    `^${appName}: .*\\. Stop the server, and put a backup in its place with \`${appName} restore\`\\.\n$`,
  )
  expect(ended).toEqual(
    ended.map(() => ({ code: 1, stdout: '', stderr: expect.stringMatching(expected) })),
  )
})

test('a start that may not open enough files says so, and how to raise the limit', async () => {
  const folder = emptyFolder()
  const limited = join(folder, 'limited')
  // Enough for Node itself.
  writeFileSync(limited, `#!/bin/sh\nulimit -n 25\nexec ${executable} "$@"\n`, { mode: 0o755 })
  const user = { executable: limited, ids: undefined, own: (owned: string) => owned }
  const { code, stderr } = await run([], { user, folder, settings: await requiredSettings() })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^\S+ The database \S+ cannot be opened, since no more files may be: raise the limit, such as by `ulimit -n 65536`/,
  )
})

/** Creates a database of another user, with which `run` runs commands. */
async function ofAnother() {
  const user = otherUser()
  const folder = user.own(emptyFolder())
  const file = fileOf(await databaseOf(folder))
  const place = {
    folder,
    user,
    settings: { ...(await requiredSettings()), FILES_PATH: join(folder, 'files'), TMPDIR: folder },
  }
  await run(['migrate'], place)
  return { user, folder, file, place }
}

test('serve and doctor refuse a database with a file that cannot be written, and name that file', async () => {
  const another = await ofAnother()
  const { folder, file, place } = another
  const tried = async (path: string, mode: number) => {
    if (path !== file) another.user.own(withFile(path))
    chmodSync(path, mode)
    const ended = { serve: await run(['serve'], place), doctor: await run(['doctor'], place) }
    chmodSync(path, 0o600)
    const files = readdirSync(folder).length
    if (path !== file) rmSync(path)
    return { path, files, ...ended }
  }
  const outcomes = [
    await tried(file, 0o400),
    await tried(`${file}-wal`, 0o400),
    await tried(`${file}-shm`, 0o400),
    await tried(`${file}-shm`, 0o000),
  ]
  expect(outcomes).toEqual(
    outcomes.map(({ path }) => ({
      path,
      files: path === file ? 1 : 2,
      serve: {
        code: 1,
        stdout: '',
        stderr: `${appName}: The database ${file} cannot be written: let this user read and write ${path}, or set DB_PATH to another file.\n`,
      },
      doctor: {
        code: 1,
        stdout: expect.stringContaining(
          `\nfail  database: This user may not read and write ${path}: no server of this user would start.`,
        ),
        stderr: '',
      },
    })),
  )
  expect((await run(['doctor'], place)).code).toBe(0)
})

test('a start that waits for a locked database exits with 0 on SIGTERM', async () => {
  const { place, folder, database } = await backedUp()
  const { settings } = place
  const other = await openWriter(fileOf(database), 0)
  onTestFinished(() => void other.close())
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  // Its warning shows that it has begun.
  writeFileSync(join(folder, '.env'), `APP_KEY=${settings.APP_KEY}\n`, { mode: 0o644 })
  const child = spawn(executable, { cwd: folder, env: settings })
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const output = text(child.stdout)
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  expect((await output).trimEnd().split('\n').slice(-2)).toEqual([
    expect.stringContaining('"message":"stopping","signal":"SIGTERM"'),
    expect.stringContaining('"message":"stopped"'),
  ])
})

test('the error for a database locked by another process says what to do', async () => {
  const { database } = await backedUp()
  const other = await openWriter(fileOf(database), 0)
  onTestFinished(() => void other.close())
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const error = await openDatabase(database, { wait: 0 }).catch((error: unknown) => error)
  expect(error).toMatchObject({ message: 'The database is locked by another process.' })
  expect(adviceAmong(advices, error)).toMatch(/^Try again when that is done, or end it: .*\.$/)
})

function withFile(path: string): string {
  writeFileSync(path, '')
  return path
}

import { randomUUID } from 'node:crypto'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environment } from '../../base/settings/config.ts'
import { appName } from '../../../web/contract/name.ts'
import type { Bom } from '../../../cmd/build/licenses/sbom.ts'
import { executable } from '../../testing/processes/build.ts'
import {
  emptyFolder,
  otherUser,
  requiredSettings,
  run,
  serve,
} from '../../testing/processes/executable.ts'
import { notifyProgram } from '../../testing/processes/notify-program.ts'
import { maySmallDisk, smallDisk } from '../../testing/processes/small-disk.ts'
import { ann, bob, registration } from '../../testing/people.ts'
import { addJobs, allJobs } from '../../testing/database/rows.ts'
import { addresses, fileOf } from './address.ts'
import { openWriter } from './connection.ts'
import { openDatabase } from './driver.ts'
import type { Db } from '../db.ts'

const freshKey = /APP_KEY=base64:[\w+/]{43}=/

test('a database file that is a text file is named in the error and left as it is', async () => {
  const folder = emptyFolder()
  const file = join(folder, `${appName}.db`)
  writeFileSync(file, 'Dear diary, this is no database.\n')
  const { code, stderr } = await run([], { folder, settings: await requiredSettings() })
  expect(code).toBe(1)
  expect(stderr).toBe(
    `${appName}: The file ${file} is not a database: move it away, or set DB_PATH to another file.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe('Dear diary, this is no database.\n')
})

test('a database of another program is named in the error and left as it is', async () => {
  const folder = emptyFolder()
  const file = join(folder, `${appName}.db`)
  const theirs = await openWriter(file, 0)
  theirs.exec('CREATE TABLE songs (name)')
  theirs.close()
  const settings = await requiredSettings()
  for (const words of [['migrate'], []]) {
    const { code, stderr } = await run(words, { folder, settings })
    expect([code, stderr]).toEqual([
      1,
      `${appName}: The database ${file} has tables of another program, such as songs: set DB_PATH to another file.\n`,
    ])
  }
  const after = await openWriter(file, 0)
  expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['songs'])
  // It has no accounts of ours, so a new operator is offered a fresh key.
  const keyless = await run([], { folder, settings: { ...settings, APP_KEY: '' } })
  expect([keyless.code, keyless.stderr.includes('put their key back')]).toEqual([3, false])
  after.close()
})

test('a server starts while another process writes to its database', async () => {
  const folder = emptyFolder()
  const settings = await requiredSettings()
  await run(['migrate'], { folder, settings })
  const other = await openWriter(join(folder, `${appName}.db`), 0)
  other.exec('BEGIN IMMEDIATE')
  const app = await serve({ folder, settings })
  const { status } = await fetch(`${app.origin}/up`)
  other.close()
  expect(status).toBe(200)
})

test('a start in a folder that cannot be written fails, names the database file and says what to do', async () => {
  const user = otherUser()
  const folder = readOnlyFolder()
  const settings = { ...(await requiredSettings()), TMPDIR: user.own(emptyFolder()) }
  const { code, stderr } = await run([], { folder, settings, user })
  expect([code, stderr]).toEqual([
    1,
    `${appName}: The database ${join(folder, `${appName}.db`)} cannot be written: let this user read and write the folder ${folder}, or set DB_PATH to another file.\n`,
  ])
})

test.runIf(maySmallDisk)(
  'with a full disk each command soon fails and says what to do',
  async () => {
    const { folder, fill } = smallDisk()
    const settings = { ...(await requiredSettings()), TMPDIR: emptyFolder() }
    await run(['migrate'], { folder, settings })
    fill()
    const commands = [
      ['users', 'list'],
      ['users', 'show', '1'],
      ['migrate'],
      ['serve'],
      ['backup', `${emptyFolder()}/app.tar`],
    ]
    const begun = performance.now()
    const ended = await Promise.all(commands.map((words) => run(words, { folder, settings })))
    // A migration waits a minute for a locked database.
    expect(performance.now() - begun).toBeLessThan(30_000)
    const expected = new RegExp(
      `^${appName}: .*(disk I/O error|is full).* [Mm]ake room on .*\\.\n$`,
    )
    expect(ended).toEqual(
      commands.map(() => ({ code: 1, stdout: '', stderr: expect.stringMatching(expected) })),
    )
  },
)

test.runIf(maySmallDisk)(
  'with a disk mounted read-only commands and doctor say how to mount it for writing again',
  async () => {
    const { folder } = smallDisk()
    const settings = { ...(await requiredSettings()), TMPDIR: emptyFolder() }
    await run(['migrate'], { folder, settings })
    execFileSync('mount', ['-o', 'remount,ro', folder])
    const file = join(folder, `${appName}.db`)
    const advice = `ount the disk of ${file} for writing again, once \`dmesg\` tells of no errors on it.`
    const commands = [['users', 'list'], ['migrate'], ['serve']]
    const ended = await Promise.all(commands.map((words) => run(words, { folder, settings })))
    const stderr = `${appName}: The database ${file} cannot be written: m${advice}\n`
    expect(ended).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr })))
    const doctor = await run(['doctor'], { folder, settings })
    expect(doctor.stdout).toContain(`${file} is on a disk that is mounted read-only: no server`)
    expect(doctor.stdout).toContain(`M${advice}`)
  },
)

test.runIf(maySmallDisk)(
  'a database on a read-only disk can be backed up from a copy, as the backup command says',
  async () => {
    const { folder } = smallDisk()
    const place = { folder, settings: await requiredSettings() }
    const app = await serve(place)
    const form = { body: new URLSearchParams(registration(ann)), headers: { Origin: app.origin } }
    await fetch(`${app.origin}/register`, { method: 'POST', redirect: 'manual', ...form })
    // Leaves the log beside the database, like a failing disk.
    app.signal('SIGKILL')
    await app.exit
    execFileSync('mount', ['-o', 'remount,ro', folder])
    const file = join(folder, `${appName}.db`)
    const archive = join(emptyFolder(), 'app.tar')
    const refused = await run(['backup', archive], place)
    const other = emptyFolder()
    for (const name of [file, `${file}-wal`]) copyFileSync(name, join(other, basename(name)))
    const copied = { ...place.settings, DB_PATH: join(other, basename(file)) }
    const made = await run(['backup', archive], { ...place, settings: copied })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `${appName}: The database ${file} cannot be written: mount the disk of ${file} for writing again, once \`dmesg\` tells of no errors on it. ` +
        `To back it up before that, stop the server, copy ${file} and, if it is there, ${file}-wal to another disk, and run this with DB_PATH set to the copy.\n`,
    ])
    expect(made.stdout).toContain('1 account,')
  },
)

test.runIf(maySmallDisk)(
  'on a read-only disk without a database migrate suggests another DB_PATH',
  async () => {
    const { folder } = smallDisk()
    execFileSync('mount', ['-o', 'remount,ro', folder])
    const settings = { ...(await requiredSettings()), TMPDIR: emptyFolder() }
    const { stderr } = await run(['migrate'], { folder, settings })
    expect(stderr).toMatch(
      / cannot be written: mount the disk of .*, or set DB_PATH to another file\.\n$/,
    )
  },
)

/** Starts a server that logs into a file once it serves, and returns a function that requests a path. */
async function loggingInto(log: string, [command, ...words]: readonly [string, ...string[]]) {
  const output = openSync(log, 'a')
  const env = { ...(await requiredSettings()), DB_PATH: join(emptyFolder(), 'app.db') }
  const child = spawn(command, words, { cwd: emptyFolder(), env, stdio: ['ignore', output, 2] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
    closeSync(output)
  })
  const ask = (path: string) => fetch(env.APP_URL + path).then(({ status }) => status)
  await expect.poll(() => ask('/up').catch(() => 0)).toBe(200)
  return ask
}

test.runIf(maySmallDisk)(
  'a log file loses no line and mixes none while its disk is full',
  async () => {
    const { folder: disk, fill } = smallDisk()
    const log = join(disk, 'log')
    const ask = await loggingInto(log, [executable])
    fill()
    for (let n = 1; n < 300; n++) await ask(`/up?n=${n}`)
    rmSync(join(disk, 'filler'))
    const requests = () => {
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
      return lines.filter((line) => (JSON.parse(line) as { path?: string }).path?.startsWith('/up'))
        .length
    }
    await expect.poll(requests).toBe(300)
  },
)

test('lines lost because a log file cannot be written are reported once it can be written again', async () => {
  const log = join(emptyFolder(), 'log')
  const most = 2 ** 26
  writeFileSync(log, '')
  truncateSync(log, most - 4096)
  const limited = `ulimit -f ${most / 512} && exec "$0"`
  const ask = await loggingInto(log, ['/bin/sh', '-c', limited, executable])
  for (let n = 0; n < 300; n++) await ask(`/assets/${'x'.repeat(7000)}`)
  truncateSync(log, 0)
  await expect
    .poll(() => readFileSync(log, 'utf8'))
    .toContain('"message":"lines of the log were lost: it could not be written (EFBIG)"')
})

test('changes are refused while the database file is moved away or replaced, until it is back', async () => {
  const app = await serve()
  const file = fileOf(app.database)
  const register = async (person: typeof ann) =>
    (await app.browser().post('/register', registration(person))).status
  expect(await register(ann)).toBe(200)
  renameSync(file, `${file}.away`)
  expect(await register(bob)).toBe(503)
  writeFileSync(file, '')
  expect(await register(bob)).toBe(503)
  expect((await app.browser().get('/up')).status).toBe(503)
  await expect
    .poll(() => app.lines.find(({ message }) => message === 'the database cannot be used'))
    .toMatchObject({
      error: {
        message: expect.stringContaining(`The file ${file} was moved away or replaced`),
      },
    })
  renameSync(`${file}.away`, file)
  expect(await register(bob)).toBe(200)
  expect((await app.browser().get('/up')).status).toBe(200)
})

test('the watchdog of systemd is fed while the database file is moved away, and the log says once why nothing works', async () => {
  const notify = notifyProgram()
  const settings = { ...notify.environment, WATCHDOG_USEC: '400000', QUEUE_WORKERS: '0' }
  const app = await serve({ settings })
  const file = fileOf(app.database)
  renameSync(file, `${file}.away`)
  // Whatever the start was still doing logs that it failed.
  const logged = () => app.lines.filter(({ message }) => message === 'the database cannot be used')
  await expect.poll(logged).toHaveLength(1)
  const before = notify.messages().length
  await expect.poll(() => notify.messages().length).toBeGreaterThan(before + 10)
  const message = expect.stringContaining(`The file ${file} was moved away or replaced`)
  expect(logged()).toMatchObject([{ level: 'warn', error: { message } }])
  const register = async () => (await app.browser().post('/register', registration(ann))).status
  expect(await register()).toBe(503)
  renameSync(`${file}.away`, file)
  expect(await register()).toBe(200)
})

test('a DB_PATH that is a folder is refused', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, `${appName}.db`))
  const { code, stderr } = await run([], { folder, settings: await requiredSettings() })
  expect(code).toBe(1)
  expect(stderr).toContain(`${appName}.db is a folder`)
})

test('a server that is stopped leaves no file of its workers behind', async () => {
  const app = await serve()
  const db = await openDatabase(app.database)
  await expect.poll(() => names(db)).toEqual([])
  await app.stop()
  await db.close()
  expect(readdirSync(app.folder)).toEqual([`${appName}.db`])
})

test('another user’s lock file beside the database does not hold up jobs, and is logged', async () => {
  const user = otherUser()
  const folder = user.own(emptyFolder())
  const file = join(folder, `${appName}.db-worker-${randomUUID()}`)
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
  writeFileSync(file, '')
  utimesSync(file, yesterday, yesterday)
  chmodSync(file, 0o000)
  const app = await serve({ folder, user, settings: { FILES_PATH: join(folder, 'files') } })
  const db = await openDatabase(app.database)
  onTestFinished(() => db.close())
  await addJobs(db, 'ResetMail', ['nobody@x.test'])
  await expect.poll(() => names(db)).not.toContain('ResetMail')
  const faults = () => app.lines.filter(({ level }) => level === 'warn' || level === 'error')
  await expect
    .poll(faults)
    .toMatchObject([{ message: 'another process that cannot be looked at is stepped over' }])
})

test('nothing of a deleted account remains in the database file after the server has stopped', async () => {
  const settings = await requiredSettings()
  const app = await serve({ settings })
  const { folder } = app
  const browser = app.browser()
  await browser.post('/register', registration(ann))
  const renamed = { _method: 'PATCH', name: 'Annabel', email: 'annabel@x.test' }
  await browser.post('/settings/profile', renamed)
  await app.browser().post('/register', registration(bob))
  const files = () => addresses.filesOf(app.database).filter((file) => existsSync(file))
  const found = () => {
    const bytes = files().map((file) => readFileSync(file, 'latin1'))
    const texts = [ann.email, 'Annabel', renamed.email, bob.email]
    return texts.filter((text) => bytes.join('').includes(text))
  }
  const before = found()
  await run(['users', 'delete', renamed.email, '--yes'], { folder, settings })
  await app.stop()
  expect([before.includes(ann.email), before.includes('Annabel'), files().length]).toEqual([
    true,
    true,
    1,
  ])
  expect(found()).toEqual([bob.email])
})

test('a server stops in time while another process keeps its database locked', async () => {
  const app = await serve()
  const other = await openWriter(fileOf(app.database), 5000)
  onTestFinished(() => void other.close())
  // A starting server may be in the way for a moment.
  other.pragma('busy_timeout = 10000')
  other.exec('BEGIN IMMEDIATE')
  // Allows exactly its limit.
  expect((await app.stop(15_000)).code).toBe(0)
})

test('a start without APP_KEY that cannot read whether there are accounts suggests no fresh key', async () => {
  const user = otherUser()
  const closed = join(emptyFolder(), 'closed.db')
  writeFileSync(closed, '', { mode: 0 })
  const damaged = join(emptyFolder(), 'damaged.db')
  writeFileSync(damaged, 'Dear diary, this is no database.\n')
  const [unreadable, broken] = await Promise.all([
    run([], { settings: { DB_PATH: closed }, user, folder: user.own(emptyFolder()) }),
    run([], { settings: { DB_PATH: damaged } }),
  ])
  expect(unreadable.stderr).toContain('closed.db has accounts could not be seen.')
  expect(broken.stderr).toContain('damaged.db has accounts could not be seen.')
  expect([unreadable, broken].filter(({ stderr }) => freshKey.test(stderr))).toEqual([])
})

test('a start without APP_KEY on an empty database file suggests a fresh key', async () => {
  const empty = join(emptyFolder(), 'empty.db')
  writeFileSync(empty, '')
  const { stderr } = await run([], { settings: { DB_PATH: empty } })
  expect(stderr).toMatch(freshKey)
})

async function names(db: Db): Promise<string[]> {
  return (await allJobs(db)).map(({ name }) => name)
}

test('the bill of materials names SQLite with its version, and licenses prints its blessing', async () => {
  const list = JSON.parse(readFileSync(`${executable}.cdx.json`, 'utf8')) as Bom
  const client = list.components.find(({ name }) => name === 'better-sqlite3')
  const { stdout } = await run(['licenses'])
  expect(client?.components).toMatchObject([
    { name: 'sqlite', version: expect.stringMatching(/^3\.\d+\.\d+$/) },
  ])
  expect(stdout).toContain('May you share freely, never taking more than you give.')
})

test('another user can serve from a read-only folder, with the database elsewhere', async () => {
  const user = otherUser()
  const data = user.own(emptyFolder())
  const settings = { DB_PATH: join(data, 'accounts.db'), TMPDIR: data }
  const app = await serve({ folder: readOnlyFolder(), settings, user })
  const answer = await fetch(`${app.origin}/up`)
  expect(answer.status).toBe(200)
  expect(app.start.database).toBe(join(data, 'accounts.db'))
})

test('git ignores the files that a server and a restore create in a checkout', async () => {
  const folder = emptyFolder()
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', env: environment() })
  git('init', '--quiet')
  copyFileSync('.gitignore', join(folder, '.gitignore'))
  const settings = { ...(await requiredSettings()), QUEUE_WORKERS: '1', FILES_PATH: 'files' }
  const app = await serve({ folder, settings })
  const made = () => readdirSync(folder).filter((name) => name.startsWith(`${appName}.db`))
  await expect.poll(made).toContainEqual(expect.stringContaining('-worker-'))
  const strange = git('status', '--porcelain', '--untracked-files=all')
  await run(['backup', 'a.tar'], { folder, settings })
  await app.stop()
  await run(['restore', 'a.tar'], { folder, settings })
  expect(made().join(' ')).toContain('.before-restore-')
  expect(strange).toBe('?? .gitignore\n')
  expect(git('status', '--porcelain', '--untracked-files=all')).toBe('?? .gitignore\n?? a.tar\n')
})

/** Removes everyone's right to write in a folder. Root writes nevertheless: see `otherUser`. */
function readOnlyFolder(): string {
  const folder = emptyFolder()
  chmodSync(folder, 0o555)
  return folder
}

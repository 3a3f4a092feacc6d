import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { presences } from '#db/presence'
import { temporaryFolder } from '../../testing/database/database.ts'
import { endPresences } from '../../testing/sqlite/presences.ts'

/** Returns an address for a database. */
function newFile() {
  const folder = temporaryFolder()
  const path = join(folder, 'app.db')
  closeSync(openSync(path, 'w'))
  return { folder, path }
}

/** Starts a process that opens a database with no lock files in its way. */
function open(path: string) {
  return presences.open({ file: path }, (error) => {
    throw error
  })
}

test('a process is present until it ends, and leaves no lock file behind', async () => {
  const { folder, path } = newFile()
  const presence = await open(path)
  expect(await presences.isGone({ file: path }, presence.id)).toBe(false)
  expect(readdirSync(folder)).toEqual(['app.db', `app.db-worker-${presence.id}`])
  expect(statSync(`${path}-worker-${presence.id}`).mode & 0o777).toBe(0o600)
  await presence.end()
  expect(await presences.isGone({ file: path }, presence.id)).toBe(true)
  expect(readdirSync(folder)).toEqual(['app.db'])
})

test('checking a process does not make it count as gone', async () => {
  const { path } = newFile()
  const presence = await open(path)
  expect(await presences.isGone({ file: path }, presence.id)).toBe(false)
  expect(await presences.isGone({ file: path }, presence.id)).toBe(false)
  await presence.end()
})

test('each process has an ID of its own, and an unknown process is gone', async () => {
  const { path } = newFile()
  const opened = await Promise.all([open(path), open(path)])
  expect(opened[0]?.id).not.toBe(opened[1]?.id)
  const gone = opened.map(({ id }) => presences.isGone({ file: path }, id))
  expect(await Promise.all(gone)).toEqual([false, false])
  expect(await presences.isGone({ file: path }, 'nobody')).toBe(true)
  await Promise.all(opened.map((presence) => presence.end()))
})

test('a process whose lock file was deleted is notified, and counts as gone for others', async () => {
  const { path } = newFile()
  const presence = await open(path)
  const lost = once(presence.lost, 'abort')
  await endPresences({ file: path })
  await lost
  expect(String(presence.lost.reason)).toContain(`app.db-worker-${presence.id} is gone.`)
  expect(await presences.isGone({ file: path }, presence.id)).toBe(true)
  await presence.end()
})

test('a process is found through another path to the same database', async () => {
  const { folder, path } = newFile()
  const link = join(folder, 'link.db')
  symlinkSync(path, link)
  const presence = await open(path)
  expect(await presences.isGone({ file: link }, presence.id)).toBe(false)
  await presence.end()
})

test('an unusable lock file is reported and left in place, and another process can still open', async () => {
  const { folder, path } = newFile()
  const [file, old] = [join(folder, `app.db-worker-${randomUUID()}`), new Date(0)]
  mkdirSync(file)
  utimesSync(file, old, old)
  const errors: unknown[] = []
  await (await presences.open({ file: path }, (error) => errors.push(error))).end()
  expect(errors.map(String)).toEqual([
    expect.stringContaining(`The lock file ${file} cannot be used`),
  ])
  expect(existsSync(file)).toBe(true)
})

test('the lock file of a dead process is deleted after a while, and no other file', async () => {
  const { folder, path } = newFile()
  const living = await open(path)
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const [dead, fresh] = [`app.db-worker-${randomUUID()}`, `app.db-worker-${randomUUID()}`]
  const left = [dead, fresh, 'app.db-wal', 'app.db-worker-pool']
  for (const name of left) closeSync(openSync(join(folder, name), 'w'))
  for (const name of [dead, 'app.db-worker-pool']) utimesSync(join(folder, name), old, old)
  utimesSync(`${path}-worker-${living.id}`, old, old)
  await (await open(path)).end()
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true, true])
  expect(await presences.isGone({ file: path }, living.id)).toBe(false)
  await living.end()
})

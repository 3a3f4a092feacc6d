import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { presences } from '#db/presence'
import { temporaryFolder } from '../../testing/database.ts'

/** Where a database is. */
function place() {
  const folder = temporaryFolder()
  const path = join(folder, 'app.db')
  closeSync(openSync(path, 'w'))
  return { folder, path }
}

/** A process that comes to a database beside which nothing is in its way. */
function open(path: string) {
  return presences.open({ file: path }, (error) => {
    throw error
  })
}

test('a process is there until it says goodbye, and leaves nothing behind', () => {
  const { folder, path } = place()
  const presence = open(path)
  expect(presences.isGone({ file: path }, presence.id)).toBe(false)
  expect(readdirSync(folder)).toEqual(['app.db', `app.db-worker-${presence.id}`])
  presence.end()
  expect(presences.isGone({ file: path }, presence.id)).toBe(true)
  expect(readdirSync(folder)).toEqual(['app.db'])
})

test('looking at a process does not make it go away', () => {
  const { path } = place()
  const presence = open(path)
  expect(presences.isGone({ file: path }, presence.id)).toBe(false)
  expect(presences.isGone({ file: path }, presence.id)).toBe(false)
  presence.end()
})

test('each has an ID of its own, and one that nobody has is gone', () => {
  const { path } = place()
  const all = [open(path), open(path)]
  expect(all[0]?.id).not.toBe(all[1]?.id)
  expect(all.map(({ id }) => presences.isGone({ file: path }, id))).toEqual([false, false])
  expect(presences.isGone({ file: path }, 'nobody')).toBe(true)
  for (const presence of all) presence.end()
})

test('a process is seen through another path to the same database', () => {
  const { folder, path } = place()
  const link = join(folder, 'link.db')
  symlinkSync(path, link)
  const presence = open(path)
  expect(presences.isGone({ file: link }, presence.id)).toBe(false)
  presence.end()
})

test('what cannot be locked is told, stays, and keeps nobody from coming', () => {
  const { folder, path } = place()
  const [file, old] = [join(folder, 'app.db-worker-hidden'), new Date(0)]
  mkdirSync(file)
  utimesSync(file, old, old)
  const told: unknown[] = []
  presences.open({ file: path }, (error) => told.push(error)).end()
  expect(told.map(String)).toEqual([
    expect.stringContaining(`The lock file ${file} cannot be used`),
  ])
  expect(existsSync(file)).toBe(true)
})

test('what a dead process left is cleared away after a while, and nothing of one that lives', () => {
  const { folder, path } = place()
  const living = open(path)
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
  const left = ['app.db-worker-old', 'app.db-worker-new', 'app.db-wal']
  for (const name of left) closeSync(openSync(join(folder, name), 'w'))
  utimesSync(join(folder, 'app.db-worker-old'), old, old)
  utimesSync(`${path}-worker-${living.id}`, old, old)
  open(path).end()
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true])
  expect(presences.isGone({ file: path }, living.id)).toBe(false)
  living.end()
})

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileOf } from '#db/address'
import { addUser } from '../../internal/testing/added.ts'
import { temporaryDatabase } from '../../internal/testing/database.ts'
import { emptyFolder, otherUser, run } from '../../internal/testing/executable.ts'

const freshKey = /APP_KEY=base64:[\w+/]{43}=/

/** The path of a database with an account in it. */
async function withAccount(): Promise<string> {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  return fileOf(address)
}

test('a key that is missing or wrong beside accounts is asked back, and no fresh one advised', async () => {
  const DB_PATH = await withAccount()
  const key = `base64:${randomBytes(32).toString('base64')}`
  const wrong: readonly Readonly<Record<string, string>>[] = [
    {},
    { APP_KEY: 'base64:c2hvcnQ=' },
    { APP_KEY: key, APP_KEY_FILE: 'key' },
    { APP_KEY_FILE: 'no such file' },
  ]
  const runs = wrong.map((settings) => run([], { settings: { ...settings, DB_PATH } }))
  const ended = await Promise.all(runs)
  expect(ended.map(({ code }) => code)).toEqual([3, 3, 3, 3])
  expect(ended.filter(({ stderr }) => freshKey.test(stderr))).toEqual([])
  expect(
    ended.filter(
      ({ stderr }) => !stderr.includes(`${DB_PATH} has accounts, so put their key back`),
    ),
  ).toEqual([])
})

test('it is asked back too where other settings are wrong, by every command and the doctor', async () => {
  const settings = { DB_PATH: await withAccount(), PORT: '70000', MAIL_HOST: 'smtp.example.com' }
  const commands = [[], ['jobs'], ['migrate'], ['doctor'], ['doctor', '--json']]
  const ended = await Promise.all(commands.map((words) => run(words, { settings })))
  const said = ended.map(({ stdout, stderr }) => stdout + stderr)
  expect(ended.map(({ code }) => code)).toEqual([3, 3, 3, 3, 3])
  expect(said.filter((text) => !text.includes('has accounts, so put their key back'))).toEqual([])
  expect(said.filter((text) => !text.includes('PORT is'))).toEqual([])
  expect(said.filter((text) => freshKey.test(text))).toEqual([])
})

test('where nobody can see whether there are accounts, the key is asked back in case there are', async () => {
  const user = otherUser()
  const closed = join(emptyFolder(), 'closed.db')
  writeFileSync(closed, '', { mode: 0 })
  const damaged = join(emptyFolder(), 'damaged.db')
  writeFileSync(damaged, 'Dear diary, this is no database.\n')
  const folder = emptyFolder()
  writeFileSync(join(folder, '.env'), 'DB_PATH /var/lib/accounts.db\n')
  const [unreadable, broken, unknown] = await Promise.all([
    run([], { settings: { DB_PATH: closed }, user, folder: user.own(emptyFolder()) }),
    run([], { settings: { DB_PATH: damaged } }),
    run([], { folder }),
  ])
  expect(unreadable.stderr).toContain('closed.db has accounts could not be seen.')
  expect(broken.stderr).toContain('damaged.db has accounts could not be seen.')
  expect(unknown.stderr).toContain('If the database has accounts, put their key back')
  expect([unreadable, broken, unknown].filter(({ stderr }) => freshKey.test(stderr))).toEqual([])
})

test('where there is no account a fresh key is advised', async () => {
  const { address } = await temporaryDatabase()
  const empty = join(emptyFolder(), 'empty.db')
  writeFileSync(empty, '')
  const paths = [fileOf(address), empty, join(emptyFolder(), 'none.db')]
  const ended = await Promise.all(paths.map((DB_PATH) => run([], { settings: { DB_PATH } })))
  expect(ended.filter(({ stderr }) => !freshKey.test(stderr))).toEqual([])
})

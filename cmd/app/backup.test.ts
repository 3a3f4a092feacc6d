import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { addUser } from '../../internal/testing/added.ts'
import { emptyFolder, required, run, serve } from '../../internal/testing/executable.ts'
import { allUsers, loseUsers } from '../../internal/testing/rows.ts'

test('backup beside a server is put back by restore, which waits until the server is stopped', async () => {
  const settings = { ...(await required()), QUEUE_WORKERS: '0', FILES_PATH: 'files' }
  const app = await serve({ settings })
  const place = { folder: app.folder, settings }
  const db = await openDatabase(app.databasePath)
  await addUser(db)
  const backedUp = await run(['backup', 'app.tar'], place)
  await loseUsers(db)
  await db.close()
  const refused = await run(['restore', 'app.tar'], place)
  await app.stop()
  const restored = await run(['restore', 'app.tar'], place)
  expect([backedUp.code, backedUp.stderr]).toEqual([0, ''])
  expect(backedUp.stdout).toMatch(/^Backed up to .*app\.tar in .*\n {2}database {2}1 account, /)
  expect(backedUp.stdout).toContain('APP_KEY is not in it.')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toMatch(/^app: Another process has the database .* open: stop the server/)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  await serve({ folder: app.folder, settings })
  const again = await openDatabase(app.databasePath)
  expect((await allUsers(again)).map(({ name }) => name)).toEqual(['Ann'])
  await again.close()
})

test('backup and restore say what to do where they cannot work, and leave nothing', async () => {
  const folder = emptyFolder()
  const settings = await required()
  const [none, dash, missing] = await Promise.all([
    run(['backup', 'app.tar'], { folder, settings }),
    run(['backup', '-'], { folder, settings }),
    run(['restore', 'app.tar'], { folder, settings }),
  ])
  expect([none.code, dash.code, missing.code]).toEqual([1, 2, 1])
  expect(none.stderr).toContain(`There is no database ${join(folder, 'app.db')}`)
  expect(dash.stderr).toContain('Give the path of a file.')
  expect(missing.stderr).toContain(`There is no file ${join(folder, 'app.tar')}.`)
  expect(readdirSync(folder)).toEqual([])
})

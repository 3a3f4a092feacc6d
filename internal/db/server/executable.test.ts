import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { migratedIn } from '#testing/migrated'
import { appName } from '../../../web/contract/name.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { noon, settingOf } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { proxyDatabase } from '../../testing/network/database-proxy.ts'
import { leavingDatabase } from '../../testing/network/leaving-database.ts'
import { ann, registration } from '../../testing/people.ts'
import { requiredSettings, run, serve } from '../../testing/processes/executable.ts'
import { notifyProgram } from '../../testing/processes/notify-program.ts'

const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer('a command fails and ends when its database falls silent', async () => {
  const database = await silentAt(/FROM users/, await migratedIn('', noon))
  const settings = { ...(await requiredSettings()), ...settingOf(database) }
  expect(await run(['users', 'list'], { settings })).toEqual({
    code: 1,
    stdout: '',
    stderr: `${appName}: The database does not answer.\n`,
  })
})

onServer(
  'the watchdog is fed while the server answers that it cannot reach its database',
  async () => {
    const notify = notifyProgram()
    const { database, leave } = await leavingDatabase()
    const settings = { ...notify.environment, WATCHDOG_USEC: '400000', DB_URL: urlOf(database) }
    const app = await serve({ settings })
    leave()
    const form = { body: new URLSearchParams(registration(ann)), headers: { Origin: app.origin } }
    const { status, headers } = await fetch(`${app.origin}/register`, { method: 'POST', ...form })
    const before = notify.messages().length
    // More than were on their way when it went.
    await expect.poll(() => notify.messages().length).toBeGreaterThan(before + 10)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  },
)

/** Returns the database through a proxy that forwards and reads nothing more once such a statement has come. */
function silentAt(statement: RegExp, database: DatabaseAddress): Promise<DatabaseAddress> {
  const ends: Socket[] = []
  // So that each statement is sent with its text.
  return proxyDatabase(database, { sslmode: 'disable' }, ({ client, server }) => {
    ends.push(client, server)
    server.on('data', (part: Buffer) => void client.write(part))
    client.on('data', (part: Buffer) => {
      if (statement.test(part.toString('latin1'))) for (const end of ends) end.pause()
      else server.write(part)
    })
  })
}

import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { urlOf } from '../../testing/database/on-server.ts'
import { leavingDatabase } from '../../testing/network/leaving-database.ts'
import { ann, registration } from '../../testing/people.ts'
import { serve } from '../../testing/processes/executable.ts'
import { notifyProgram } from '../../testing/processes/notify-program.ts'

test.runIf(addresses.setting === 'DB_URL')(
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

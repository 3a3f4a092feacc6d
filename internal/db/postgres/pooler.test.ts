import { beforeAll, expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { openStream } from '../../testing/network/event-stream.ts'
import { ann, registration } from '../../testing/people.ts'
import { hasPooler, poolerBefore, poolerProgram } from '../../testing/postgres/pooler.ts'
import { publishEvent } from '../../testing/processes/publish-event.ts'
import { requiredSettings, run, serve } from '../../testing/processes/executable.ts'

const withPooler = test.runIf(hasPooler)

beforeAll(async () => {
  if (hasPooler) await poolerProgram()
  // A slow mirror, or a busy machine, may take minutes.
}, 600_000)

/** Returns the URL of an unused database, migrated, behind a pooler in this mode. */
async function pooled(mode: 'transaction' | 'session'): Promise<string> {
  const { address } = await temporaryDatabase()
  return poolerBefore(urlOf(address), mode)
}

withPooler(
  'behind a pooler in transaction mode server, commands and doctor ask for prepare=false',
  async () => {
    const settings = { ...(await requiredSettings()), DB_URL: await pooled('transaction') }
    const finding =
      /The database server 127\.0\.0\.1:\d+ is a pooler that lends a session for each transaction/
    for (const words of [['serve'], ['migrate'], ['users', 'list']]) {
      const { code, stderr } = await run(words, { settings })
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(
            `^${appName}: ${finding.source}: add prepare=false to DB_URL, or have the pooler lend it for the whole session\\.\\n$`,
          ),
        ),
      ])
    }
    const { code, stdout } = await run(['doctor'], { settings })
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^fail  database: ${finding.source}\\. Add prepare=false to DB_URL, `, 'm'),
      ),
    ])
    expect((await run(['doctor'], { settings: withLentSessions(settings) })).code).toBe(0)
  },
)

/** Returns the settings with a URL that says that its sessions are lent. */
function withLentSessions<Settings extends { DB_URL: string }>(settings: Settings): Settings {
  return { ...settings, DB_URL: `${settings.DB_URL}?prepare=false` }
}

withPooler.each([
  ['transaction', '?prepare=false'],
  ['session', ''],
] as const)(
  'behind a pooler in %s mode the server serves, and hears of what another process changes',
  async (mode, query) => {
    const app = await serve({ settings: { DB_URL: `${await pooled(mode)}${query}` } })
    const browser = app.browser()
    expect((await browser.post('/register', registration(ann))).component).toBe('Auth/VerifyEmail')
    const stream = await openStream(app.port, browser)
    await publishEvent(app, 'verified')
    await expect.poll(() => stream.text()).toContain('event: verified\n')
    expect((await app.stop()).code).toBe(0)
  },
)

import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { migratedIn } from '#testing/migrated'
import { apiErrors } from '../../../web/contract/words/api.ts'
import { cuttingProxy } from '../../testing/network/cutting-proxy.ts'
import { leavingDatabase } from '../../testing/network/leaving-database.ts'
import { noon } from '../../testing/database/database.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { callApi, appWithToken } from '../../testing/tokens.ts'

const onServer = test.runIf(addresses.setting === 'DB_URL')

/** Returns what the log says of requests to a path besides their own lines. */
function logLines(app: TestApp, path: string) {
  return app.logLines.filter(({ message, facts }) => message !== 'request' && facts.path === path)
}

/** Expects only warnings that the database cannot be used, one for each error. */
function expectOneWarning(lines: ReturnType<typeof logLines>): void {
  expect(new Set(lines.map(({ level, message }) => `${level}: ${message}`))).toEqual(
    new Set(['warn: the database cannot be used']),
  )
  const matters = lines.map(({ facts }) => String(facts.error))
  expect(new Set(matters).size).toBe(matters.length)
}

onServer(
  'repeated health checks without an answer of the database are 503, and logged once a minute',
  async () => {
    const proxy = await cuttingProxy(await migratedIn('', noon))
    const app = await testApp({ config: { database: proxy.address } })
    const healthStatus = async () => {
      proxy.cutAt(/SELECT 1/, 'before it arrives')
      return (await app.browser().get('/up')).status
    }
    expect([await healthStatus(), await healthStatus(), await healthStatus()]).toEqual([
      503, 503, 503,
    ])
    const lines = logLines(app, '/up')
    expectOneWarning(lines)
    await app.pass({ minutes: 1 })
    expect(await healthStatus()).toBe(503)
    expectOneWarning(logLines(app, '/up').slice(lines.length))
  },
)

onServer(
  'a page whose session or user cannot be looked up is served, and that is logged once a minute',
  async () => {
    const proxy = await cuttingProxy(await migratedIn('', noon))
    const config = { database: proxy.address, sessionStore: 'database' } as const
    const app = await testApp({ config })
    const browser = await registeredBrowser(app, ann)
    const look = async (statement: RegExp) => {
      proxy.cutAt(statement, 'before it arrives')
      expect((await browser.get('/', { stay: true })).status).toBe(200)
      expect(proxy.isCut).toBe(true)
    }
    for (const statement of [/FROM sessions/, /FROM logins/])
      for (let n = 0; n < 3; n++) await look(statement)
    const lines = logLines(app, '/')
    expectOneWarning(lines)
    await app.pass({ minutes: 1 })
    await look(/FROM sessions/)
    expectOneWarning(logLines(app, '/').slice(lines.length))
    expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
  },
)

onServer(
  'an API call gets a 503 that says when to come again while the server is away, and is answered after that',
  async () => {
    const { database, leave, back } = await leavingDatabase()
    const { app, user, token } = await appWithToken({ config: { database } })
    leave()
    const { status, headers, json } = await callApi(app, `Bearer ${token}`)
    expect([status, headers['retry-after'], json]).toEqual([503, '5', { message: apiErrors.away }])
    expectOneWarning(logLines(app, '/api/user'))
    back()
    // It does not ask the server again at once.
    const call = async () => (await callApi(app, `Bearer ${token}`)).json
    await expect.poll(call).toMatchObject({ id: user.id })
  },
)

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { presences } from '#db/presence'
import { users } from '#db/users'
import { migratedIn } from '#testing/migrated'
import { openCountingProxy } from '../../testing/network/counting-proxy.ts'
import { noon, temporaryFolder } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { openStream } from '../../testing/network/event-stream.ts'
import { testedDatabase } from '../../testing/tested-database.ts'
import { testApp } from '../../testing/test-app.ts'
import { besides } from './findings.ts'

/** Connections besides those for requests and jobs: one less if events are read over the latter. */
// oxfmt-ignore
const own: Readonly<Record<string, number>> = {
  postgres: besides,
  mysql: besides - 1,
}

test.runIf(testedDatabase in own)(
  'a server with event streams, jobs and presence checks opens as many connections as documented',
  async () => {
    const max = 3
    const proxy = await openCountingProxy(urlOf(await migratedIn(temporaryFolder(), noon)), max)
    onTestFinished(proxy.close)
    const database = { url: proxy.url }
    const app = await testApp({ config: { database }, workers: true })
    await openStream(app.port, await registeredBrowser(app, ann))
    // A process with claimed jobs has its presence open.
    await app.outbox.awaitMailTo(ann.email)
    const over = Promise.withResolvers<void>()
    // All connections write but one, which is reserved for reads.
    const begun = Array.from({ length: max - 1 }, () => {
      const begins = Promise.withResolvers<void>()
      const transaction = app.db.transaction(async (tx) => {
        await users.byId(tx, 1)
        begins.resolve()
        await over.promise
      })
      return { begins: begins.promise, transaction }
    })
    await Promise.all(begun.map(({ begins }) => begins))
    await users.byId(app.db, 1)
    await presences.isGone(database, 'another')
    over.resolve()
    await Promise.all(begun.map(({ transaction }) => transaction))
    expect(proxy.mostConnections()).toBe(max + (own[testedDatabase] ?? 0))
  },
)

test('README states the number of connections that a server opens beyond max', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`Servers × (\`max\` + ${besides})`)
})

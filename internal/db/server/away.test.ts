import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { migratedIn } from '#testing/migrated'
import { cutting } from '../../testing/cutting-proxy.ts'
import { noon } from '../../testing/database.ts'
import { testApp } from '../../testing/test-app.ts'

const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer('a health check that gets nothing from the database is told once a minute', async () => {
  const way = await cutting(await migratedIn('', noon))
  const app = await testApp({ config: { database: way.address } })
  const asked = async () => {
    way.cutAt(/SELECT 1/, 'before it arrives')
    return (await app.browser().get('/up')).status
  }
  expect([await asked(), await asked(), await asked()]).toEqual([503, 503, 503])
  const told = app.logged.filter(
    ({ message, facts }) => message !== 'request' && facts.path === '/up',
  )
  expect(new Set(told.map(({ level, message }) => `${level}: ${message}`))).toEqual(
    new Set(['warn: the database cannot be used']),
  )
  // Of each thing that can be the matter one.
  const matters = told.map(({ facts }) => String(facts.error))
  expect(new Set(matters).size).toBe(matters.length)
})

import { expect, test } from 'vitest'
import { from } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

async function warnings(app: TestApp, headers: Record<string, string>) {
  for (let i = 0; i < 3; i++) await app.browser().send('GET', '/up', { headers })
  return app.logLines.filter(({ level }) => level === 'warn')
}

test('X-Forwarded-For from an untrusted peer is warned about once, with the setting that trusts the peer', async () => {
  const app = await testApp()
  expect(await warnings(app, { 'X-Forwarded-For': '203.0.113.9' })).toEqual([
    {
      level: 'warn',
      message: expect.stringContaining('is not in TRUSTED_PROXIES'),
      facts: { peer: '127.0.0.1', setting: 'TRUSTED_PROXIES=127.0.0.1' },
    },
  ])
})

test('the setting suggested for an untrusted peer includes the proxies trusted already', async () => {
  const app = await testApp({ config: { trustedProxies: ['10.0.0.0/8', '::1'] } })
  expect(await warnings(app, { 'X-Forwarded-For': '203.0.113.9' })).toMatchObject([
    { facts: { setting: 'TRUSTED_PROXIES=10.0.0.0/8,::1,127.0.0.1' } },
  ])
})

test('no warning is logged where the proxy is trusted or there is no X-Forwarded-For', async () => {
  const behind = await testApp({ config: { trustedProxies: ['loopback'] } })
  const alone = await testApp()
  expect(await warnings(behind, from('203.0.113.9').headers ?? {})).toEqual([])
  expect(await warnings(alone, {})).toEqual([])
})

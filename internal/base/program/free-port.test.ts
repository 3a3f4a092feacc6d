import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('who asks at once is given ports of their own, before anybody listens on them', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
  expect(new Set(ports).size).toBe(ports.length)
})

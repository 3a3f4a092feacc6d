import { expect, test } from 'vitest'
import { hostPort } from './host-port.ts'

test('an IPv6 host stands in brackets before its port, and other hosts do not', () => {
  expect(hostPort('::1', 3000)).toBe('[::1]:3000')
  expect(hostPort('127.0.0.1', 3000)).toBe('127.0.0.1:3000')
})

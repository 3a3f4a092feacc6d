import { expect, test } from 'vitest'
import { hostPort } from './host-port.ts'

test('IPv6 stands in brackets before its port, other hosts as they are', () => {
  expect(hostPort('::1', 3000)).toBe('[::1]:3000')
  expect(hostPort('127.0.0.1', 3000)).toBe('127.0.0.1:3000')
})

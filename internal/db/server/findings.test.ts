import { expect, test } from 'vitest'
import { clockFinding, connectionsFinding, tlsFinding } from './findings.ts'
import type { ServerUrl } from './url.ts'

const url: ServerUrl = {
  hosts: [{ host: 'db.example.com', port: 5432 }],
  user: 'app',
  password: '',
  database: 'accounts',
  sslmode: 'prefer',
  certificates: undefined,
  max: 10,
  connectTimeout: 5,
  prepare: true,
}
const hosts = (...names: readonly string[]) => ({
  ...url,
  hosts: names.map((host) => ({ host, port: 5432 })),
})

test('doctor warns of a remote server without TLS, and of one whose certificate is not checked', () => {
  const [inTheClear, unchecked, checked] = [
    tlsFinding(null, url),
    tlsFinding('TLSv1.3', { ...url, sslmode: 'require' }),
    tlsFinding('TLSv1.3', { ...url, sslmode: 'verify-full' }),
  ]
  expect([inTheClear.state, inTheClear.finding]).toEqual([
    'warn',
    'The connection is not encrypted: password hashes can be read on the way.',
  ])
  expect([unchecked.state, unchecked.finding]).toEqual([
    'warn',
    'The connection uses TLSv1.3, but nothing checks whether it is the right server.',
  ])
  expect(inTheClear.advice).toContain('sslmode=verify-full')
  expect(checked.state).toBe('ok')
})

test('doctor warns of missing TLS only if a host is on another machine', () => {
  const states = [
    hosts('127.0.0.1'),
    hosts('::1'),
    hosts('localhost'),
    hosts('/run/database'),
    hosts('127.0.0.1', '192.0.2.1'),
    hosts('localhost.example.com'),
  ].map((place) => tlsFinding(null, place).state)
  expect(states).toEqual(['ok', 'ok', 'ok', 'ok', 'warn', 'warn'])
})

test('doctor warns when the free connections are too few for another server', () => {
  const room = connectionsFinding({ used: 86, most: 100 }, url)
  const none = connectionsFinding({ used: 87, most: 100 }, url)
  expect([room.state, none.state]).toEqual(['ok', 'warn'])
  expect(none.finding).toBe('87 of 100 connections are in use; a server takes up to 14.')
})

test('doctor warns of a clock that differs by more than five seconds, and says which is ahead', () => {
  expect([clockFinding(5000).state, clockFinding(-5000).state]).toEqual(['ok', 'ok'])
  expect([clockFinding(5100).finding, clockFinding(-90_000).finding]).toEqual([
    'Its clock is 5.1 s ahead of that of this machine.',
    'Its clock is 90.0 s behind that of this machine.',
  ])
  expect([clockFinding(5100).state, clockFinding(-90_000).state]).toEqual(['warn', 'warn'])
})

import { expect, test } from 'vitest'
import { siteOf } from './site.ts'

test('the RP ID and the origin of passkeys are those of APP_URL', () => {
  expect(['https://accounts.example.com', 'http://localhost:3000'].map(siteOf)).toEqual([
    { rpId: 'accounts.example.com', origin: 'https://accounts.example.com' },
    { rpId: 'localhost', origin: 'http://localhost:3000' },
  ])
})

test('a bare IP address has no passkeys', () => {
  const origins = ['http://127.0.0.1:3000', 'https://192.0.2.1', 'http://[::1]:3000']
  expect(origins.map(siteOf)).toEqual([undefined, undefined, undefined])
})

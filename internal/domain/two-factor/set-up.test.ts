import { expect, test } from 'vitest'
import { judgeEmail } from '../../base/email.ts'
import { newSecret } from '../../base/crypto/totp.ts'
import { qrCode, qrSvg } from '../../base/text/qr.ts'
import { setUpOf } from './set-up.ts'

test('a set-up has its secret, a link with the secret, and the link as a QR code', () => {
  const secret = newSecret()
  const setUp = setUpOf(secret, 'ann@x.test')
  expect(setUp.secret).toBe(secret)
  expect(new URL(setUp.url).searchParams.get('secret')).toBe(secret)
  expect(setUp.url).toContain('ann%40x.test')
  expect(setUp.qr).toMatch(/^<svg .*<\/svg>$/)
  expect(setUp.qr).toBe(qrSvg(qrCode(setUp.url)))
  expect(setUp.qrCode).toEqual(qrCode(setUp.url))
})

test('a set-up with the same secret has the same link and QR code', () => {
  const secret = newSecret()
  expect(setUpOf(secret, 'ann@x.test')).toEqual(setUpOf(secret, 'ann@x.test'))
})

test('the link of the longest possible email fits into a QR code', () => {
  const label = `${'𐐨'.repeat(45)}.`
  const email = `${'𐐨'.repeat(16)}@${label.repeat(4)}com`
  expect(judgeEmail(email)).toBe(undefined)
  expect(setUpOf(newSecret(), email).qr).toMatch(/^<svg /)
})

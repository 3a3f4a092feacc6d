import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emailKey, emailWritten, judgeEmail } from './email.ts'

const judged = (emails: readonly string[], verdict: unknown) =>
  emails.filter((email) => judgeEmail(email) !== verdict)

test('a mailbox name at a domain is an email, in any script', () => {
  const good = [
    'ann@example.com',
    'A.B+c@x.test',
    "o'neil@sub.domain.example",
    'é@bücher.test',
    '用户@例子.测试',
    'ann@xn--bcher-kva.test',
    `${'a'.repeat(64)}@example.com`,
    '1@2.example',
  ]
  expect(judged(good, undefined)).toEqual([])
})

test('a malformed address, a list, an IP address or a hidden character is not an email', () => {
  // oxfmt-ignore
  const bad = [
    '', '@', '@x.test', 'a@', 'a', 'a@@x.test', 'a@b@x.test', 'a@x.test,b@y.test',
    'a@x.test b@y.test', '<a@x.test>', 'Ann <a@x.test>', '"a"@x.test', 'a(c)@x.test',
    'a@x.test\r\nBcc: b@y.test', 'a\0@x.test', 'a@x.test\u2028', ' a@x.test', 'a@x.test\n',
    'a@[127.0.0.1]', 'a@127.0.0.1', 'a@1.2', 'a@x', 'a@-x.test', 'a@x-.test', 'a@x..test',
    'a@.test', 'a@x.test.', '.a@x.test', 'a.@x.test', 'a..b@x.test', 'a\u200bb@x.test',
    'a\u202eb@x.test', 'a＠x.test', 'a@x\u3002test', 'a@x_y.test', 'a\\b@x.test', 'a:b@x.test',
    '=?utf-8?q?a=40b?=@x.test', '\ud800@x.test', `${'é'.repeat(33)}@x.test`,
    `${'a'.repeat(65)}@x.test`, `a@${'b'.repeat(64)}.test`,
    // 60 bytes, but 120 as stored: each letter becomes two.
    `${'\u0958'.repeat(20)}@x.test`,
  ]
  expect(judged(bad, 'email')).toEqual([])
})

test('an email has at most 254 characters', () => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.${'g'.repeat(6)}`
  expect(judgeEmail(`${'a'.repeat(64)}@${domain}`)).toBeUndefined()
  expect(judgeEmail(`${'a'.repeat(64)}@${domain}g`)).toBe('emailLong')
  expect(judgeEmail('x'.repeat(255))).toBe('emailLong')
  expect(judgeEmail('\u{20000}'.repeat(254))).toBe('email')
})

test('a domain of ten million characters is refused as too long', () => {
  expect(judgeEmail(`a@${'a.'.repeat(5_000_000)}`)).toBe('emailLong')
})

test('the email key ignores case and the encoding of accents, but not the accents', () => {
  expect(emailKey('Case@X.test')).toBe(emailKey('case@x.TEST'))
  expect(emailKey('e\u0301@x.test')).toBe(emailKey('É@x.test'))
  expect(emailKey('é@x.test')).not.toBe(emailKey('e@x.test'))
  expect(emailKey('straße@x.test')).not.toBe(emailKey('strasse@x.test'))
  expect(emailKey('\u0130@x.test')).not.toBe(emailKey('i@x.test'))
  expect(emailKey('m\u0131ke@x.test')).not.toBe(emailKey('mike@x.test'))
})

test('the email key is the same for an international domain and its ASCII form', () => {
  expect(emailKey('Ann@Bücher.test')).toBe('ann@xn--bcher-kva.test')
  expect(emailKey('ann@bu\u0308cher.test')).toBe('ann@xn--bcher-kva.test')
  expect(emailKey('ann@XN--BCHER-KVA.test')).toBe('ann@xn--bcher-kva.test')
  expect(emailKey('用户@例子.测试')).toBe(emailKey('用户@xn--fsqu00a.xn--0zwm56d'))
  expect(emailKey('bücher@x.test')).not.toContain('xn--')
  expect(emailKey('ann@x.test')).not.toBe(emailKey('ann@é.test'))
})

test('the email key is the same for both small forms of the Greek sigma, except in domains', () => {
  expect(emailKey('ΑΣ@x.test')).toBe(emailKey('ας@x.test'))
  expect(emailKey('ΑΣ@x.test')).toBe(emailKey('ασ@x.test'))
  // In domain names they are different letters.
  expect(emailKey('a@ΑΣ.test')).toBe(emailKey('a@ασ.test'))
  expect(emailKey('a@ας.test')).not.toBe(emailKey('a@ασ.test'))
})

test('an email is written with its domain in its own script, if that is still the same domain', () => {
  const written = {
    'Uwe@xn--kln-sna.example': 'Uwe@köln.example',
    'a@XN--BCHER-KVA.example': 'a@bücher.example',
    'a@köln.example': 'a@köln.example',
    'a@mail.example': 'a@mail.example',
    'a@xn--.example': 'a@xn--.example',
    'a@xn--collegi-xma.cat': 'a@xn--collegi-xma.cat',
    'a@xn--i-7iq.ws': 'a@xn--i-7iq.ws',
    'xn--kln-sna@mail.example': 'xn--kln-sna@mail.example',
    'cafe\u0301@x.test': 'caf\u00e9@x.test',
  }
  for (const [sent, kept] of Object.entries(written)) expect(emailWritten(sent)).toBe(kept)
})

test('a NUL character in an email becomes U+FFFD in its key', () => {
  expect(emailKey('a\0b@x.test')).toBe('a\uFFFDb@x.test')
})

test('a text longer than any email is its own email key', () => {
  // Normalising 32,000 of these took a second.
  const long = `Ann${'\u0345\u0301'.repeat(300)}@X.test`
  expect(emailKey(long)).toBe(long)
  expect(emailKey(`A${'\u0345\u0301'.repeat(120)}@X.test`)).toMatch(/^\u00e1\u0301/)
})

test('the email key of an email key is the same key', () => {
  const keys = ['a@bücher.test', '\u0130@x.test', '\u212a@x.test', 'ΟΔΟΣ@x.test', 'Ǆ@x.test'].map(
    emailKey,
  )
  expect(keys.map(emailKey)).toEqual(keys)
})

const cases = new URL('../../../shared/vectors/email-cases.json', import.meta.url)

test.runIf(existsSync(cases))(
  'the shared test cases of valid and hostile emails are judged correctly',
  () => {
    const known = JSON.parse(readFileSync(cases, 'utf8')) as Record<string, string[]>
    expect(judged(known.accept ?? [], undefined)).toEqual([])
    expect(judged(known.refuse ?? [], 'email')).toEqual([])
  },
)

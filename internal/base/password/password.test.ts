import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeLog } from '../log.ts'
import { makePasswords } from './password.ts'
import { HashesBusy } from './hash-queue.ts'

async function people() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log = makeLog({ level: 'debug', format: 'text', write, now: () => new Date(0) })
  return { lines, passwords: await makePasswords({ log, cpus: 2 }) }
}

const address = '192.0.2.1'

test('a password is hashed with argon2id, 19456 KiB, 2 passes, 1 thread and its own salt', async () => {
  const { passwords } = await people()
  const hash = await passwords.hashPassword('correct horse', address)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await passwords.hashPassword('correct horse', address)).not.toBe(hash)
})

test('a hash matches only its own password', async () => {
  const { passwords, lines } = await people()
  const hash = await passwords.hashPassword('correct horse', address)
  const check = (password: string) => passwords.checkPassword(hash, password, address)
  expect(await check('correct horse')).toEqual({ right: true, stale: false })
  expect(await check('correct horsE')).toEqual({ right: false, stale: false })
  expect(lines).toEqual([])
})

test('a password is never trimmed, cut or normalised', async () => {
  const { passwords } = await people()
  const typed = ` é${'x'.repeat(196)}1`
  const hash = await passwords.hashPassword(typed, address)
  const check = async (text: string) => (await passwords.checkPassword(hash, text, address)).right
  expect(await check(typed)).toBe(true)
  expect(await check(typed.trim())).toBe(false)
  expect(await check(typed.normalize('NFD'))).toBe(false)
  expect(await check(typed.slice(0, -1))).toBe(false)
})

test('an empty hash, of no user or an account without a password, matches no password', async () => {
  const { passwords, lines } = await people()
  const checks = ['', 'anything'].map((text) => passwords.checkPassword('', text, address))
  expect(await Promise.all(checks)).toEqual([
    { right: false, stale: false },
    { right: false, stale: false },
  ])
  expect(lines).toEqual([])
})

test('a hash with other argon2id settings matches its password and is stale', async () => {
  const { passwords } = await people()
  const hash =
    '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc'
  const check = (password: string) => passwords.checkPassword(hash, password, address)
  expect(await check('password')).toEqual({ right: true, stale: true })
  expect(await check('passwort')).toEqual({ right: false, stale: false })
})

test('a hash that is not argon2id, or asks for over 4 GiB, matches no password and logs a warning', async () => {
  const { passwords, lines } = await people()
  const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  const huge =
    '$argon2id$v=19$m=4194305,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const argon2i =
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8'
  const checks = [bcrypt, huge, argon2i].map((hash) =>
    passwords.checkPassword(hash, 'password', address),
  )
  expect((await Promise.all(checks)).map((check) => check.right)).toEqual([false, false, false])
  expect(lines).toEqual([
    '1970-01-01T00:00:00.000Z WARN  a password hash matches no password reason="it is not argon2id"\n',
    '1970-01-01T00:00:00.000Z WARN  a password hash matches no password reason="it asks for over 4 GiB of memory"\n',
    '1970-01-01T00:00:00.000Z WARN  a password hash matches no password reason="it is not argon2id"\n',
  ])
})

test('checks and hashes share one queue, and too many of one address are refused', async () => {
  const { passwords } = await people()
  const six = Array.from({ length: 6 }, () => passwords.checkPassword('', 'x', address))
  await expect(passwords.checkPassword('', 'x', address)).rejects.toThrow(HashesBusy)
  await expect(passwords.hashPassword('x', address)).rejects.toThrow(HashesBusy)
  expect(await passwords.hashPassword('x', '192.0.2.2')).toContain('$argon2id$')
  await Promise.all(six)
})

const vectors = new URL('../../../../shared/vectors/argon2-phc-vectors.json', import.meta.url)

interface Vectors {
  readonly hashes: { phc: string; password: string; m: number; type: string }[]
  readonly verify_errors: { phc: string; password: string }[]
}

test.runIf(existsSync(vectors))(
  'only argon2id hashes match among the shared test hashes',
  async () => {
    const { passwords } = await people()
    const known = JSON.parse(readFileSync(vectors, 'utf8')) as Vectors
    const hashes = known.hashes.filter((hash) => hash.m <= 65536)
    const right = async (hash: { phc: string; password: string }, at: number) =>
      (await passwords.checkPassword(hash.phc, hash.password, `${at % 8}`)).right
    const argon2id = hashes.filter((hash) => hash.type === 'Argon2_id')
    const others = [...hashes.filter((hash) => hash.type !== 'Argon2_id'), ...known.verify_errors]
    expect(await Promise.all(argon2id.map(right))).toEqual(argon2id.map(() => true))
    expect(await Promise.all(others.map(right))).toEqual(others.map(() => false))
  },
)

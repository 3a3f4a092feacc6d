import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../testing/database/database.ts'
import { authorityIn } from '../../../testing/network/certificates.ts'
import { readPostgresUrl } from './url.ts'

function read(text: string) {
  const found = readPostgresUrl(text)
  if ('url' in found) return found.url
  throw new Error(found.faults.join(' '))
}

function faults(text: string): string[] {
  const found = readPostgresUrl(text)
  return 'faults' in found ? found.faults : []
}

test('a URL needs only user, host and database; everything else has a default', () => {
  expect(read('postgres://app@db.example.com/accounts')).toEqual({
    hosts: [{ host: 'db.example.com', port: 5432 }],
    user: 'app',
    password: '',
    database: 'accounts',
    sslmode: 'prefer',
    certificates: undefined,
    max: 10,
    connectTimeout: 5,
    prepare: true,
    readWrite: false,
    schema: undefined,
  })
})

test('a password may contain any character, percent-encoded or not', () => {
  const passwords = ['p@ss:w/o?r#d', 'a%20b', '%25%40', 'ü €', 'a@b@c', '&=;', '\'"\\']
  const found = passwords.map((word) => read(`postgresql://app:${word}@h/d`).password)
  expect(found).toEqual(['p@ss:w/o?r#d', 'a b', '%@', 'ü €', 'a@b@c', '&=;', '\'"\\'])
})

test('an @ in the query is not taken for part of the password, whatever the password contains', () => {
  const socket = { hosts: [{ host: '/run/c@x', port: 5432 }], user: 'app', database: 'd' }
  const words = ['hunter2', 'p@ss:w/o?r#d', 'a@b/c?max', '']
  const found = words.map((word) => read(`postgres://app:${word}@/d?max=3&host=/run/c@x`))
  expect(found).toMatchObject(words.map((password) => ({ ...socket, password, max: 3 })))
  expect(faults('postgres://app:hunter2@h/d?sslrootcert=/nowhere/c@x/ca.pem')).toEqual([
    'sslrootcert names no file with certificates (PEM) that this user can read.',
  ])
})

test('a URL may name several hosts, IPv6 addresses and socket folders', () => {
  expect(read('postgres://a@one:1,[::1]:2,[fe80::1],10.0.0.1/d').hosts).toEqual([
    { host: 'one', port: 1 },
    { host: '::1', port: 2 },
    { host: 'fe80::1', port: 5432 },
    { host: '10.0.0.1', port: 5432 },
  ])
  const socket = [{ host: '/var/run/postgresql', port: 5432 }]
  expect(read('postgres://a@/d?host=/var/run/postgresql').hosts).toEqual(socket)
  expect(read('postgres://a@%2Fvar%2Frun%2Fpostgresql/d').hosts).toEqual(socket)
  const other = [{ host: '/var/run/postgresql', port: 5433 }]
  expect(read('postgres://a@/d?host=/var/run/postgresql:5433').hosts).toEqual(other)
})

test('the settings in the query of a URL are read', () => {
  const query =
    'sslmode=require&max=3&connect_timeout=9&prepare=false&target_session_attrs=read-write'
  expect(read(`postgres://a@h/d?${query}`)).toMatchObject({
    sslmode: 'require',
    max: 3,
    connectTimeout: 9,
    prepare: false,
    readWrite: true,
  })
})

test('every fault in a URL is reported, without the password', () => {
  const messages = faults('postgres://:hunter2@h:0/?sslmode=no&max=0&max=1&prepare=maybe&what=x')
  expect(messages).toHaveLength(7)
  expect(messages.join(' ')).not.toContain('hunter2')
  expect(faults('sql://root:hunter2@h/d')).toEqual([
    'Write postgres://user:password@host:port/database, with what to add after a ?.',
  ])
  expect(faults('postgres://a:hunter2%@h/d')).toEqual(['Write a % in the password as %25.'])
})

test('the certificates of sslrootcert are read, and checked together with the host unless sslmode is require', async () => {
  const { file } = await authorityIn(temporaryFolder(), 'authority')
  const found = ['', '&sslmode=require'].map((more) =>
    read(`postgres://a@h/d?sslrootcert=${file}${more}`),
  )
  const certificates = readFileSync(file, 'utf8')
  expect(found).toMatchObject([
    { certificates, sslmode: 'verify-full' },
    { certificates, sslmode: 'require' },
  ])
})

test('an unreadable sslrootcert, and one combined with sslmode=disable, are reported as faults', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'none.pem'), 'nothing')
  const file = (name: string, more = '') =>
    faults(`postgres://a@h/d?sslrootcert=${join(folder, name)}${more}`)
  const unread = 'sslrootcert names no file with certificates (PEM) that this user can read.'
  expect([file('none.pem'), file('nowhere.pem')]).toEqual([[unread], [unread]])
  expect(file('nowhere.pem', '&sslmode=disable')).toHaveLength(2)
})

import { expect, test } from 'vitest'
import { readPhc } from './phc.ts'

const salt = 'c29tZXNhbHQ'
const hash = 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
const phc = (parameters: string) => `$argon2id$v=19$${parameters}$${salt}$${hash}`

test('an argon2id hash is parsed into its settings', () => {
  expect(readPhc(phc('m=65536,t=2,p=1'))).toEqual({
    settings: { memory: 65536, passes: 2, lanes: 1, saltBytes: 8, hashBytes: 32 },
  })
})

test('an argon2id hash may ask for at most 4 GiB, 64 passes and 16 lanes', () => {
  expect(readPhc(phc('m=4194304,t=64,p=16'))).toHaveProperty('settings')
  expect(readPhc(phc('m=4194305,t=2,p=1'))).toEqual({ fault: 'it asks for over 4 GiB of memory' })
  expect(readPhc(phc('m=19456,t=65,p=1'))).toEqual({ fault: 'it asks for over 64 passes' })
  expect(readPhc(phc('m=19456,t=2,p=17'))).toEqual({ fault: 'it asks for over 16 lanes' })
  expect(readPhc(phc('m=15,t=2,p=2'))).toEqual({ fault: 'it asks for too little memory' })
})

test('a hash that is not argon2id is refused', () => {
  const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  const others = [bcrypt, phc('m=64,t=2,p=1').replace('argon2id', 'argon2i'), 'md5', ' ']
  expect(others.map(readPhc)).toEqual(others.map(() => ({ fault: 'it is not argon2id' })))
})

test('an argon2id hash of another version is refused', () => {
  const old = phc('m=64,t=2,p=1').replace('v=19', 'v=16')
  expect(readPhc(old)).toEqual({ fault: 'it is not of version 19' })
  expect(readPhc(old.replace('$v=16', ''))).toHaveProperty('fault')
})

test('an incomplete PHC string, or one not in canonical form, is refused', () => {
  const broken = [
    '$argon2id$',
    phc('m=064,t=2,p=1'),
    phc('m=64,t=0,p=1'),
    phc('t=2,m=64,p=1'),
    phc('m=64,t=2,p=1,keyid=AAAA'),
    phc('m=99999999999,t=2,p=1'),
    `${phc('m=64,t=2,p=1')}=`,
    `${phc('m=64,t=2,p=1')}\n`,
    `${phc('m=64,t=2,p=1')}$`,
    phc('m=64,t=2,p=1').replace(salt, ''),
    phc('m=64,t=2,p=1').replace(`${salt}$`, salt),
    phc('m=64,t=2,p=1').replace(`p=1$`, 'p=1'),
    // Has bits set that no byte uses.
    phc('m=64,t=2,p=1').replace(hash, `${hash.slice(0, -1)}d`),
    phc('m=64,t=2,p=1').replace(salt, 'c29tZQ'),
    phc('m=64,t=2,p=1').replace(hash, 'c29tZXNhbHQ'),
  ]
  expect(broken.map(readPhc).filter((read) => !('fault' in read))).toEqual([])
})

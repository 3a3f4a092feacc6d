import { expect, test } from 'vitest'
import { providerOf } from './providers.ts'

test('the provider of a passkey is recognised by its AAGUID, if it is known', () => {
  const aaguids = [
    'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    'bada5566-a7aa-401f-bd96-45619a55120d',
    '00000000-0000-0000-0000-000000000000',
  ]
  const providers = aaguids.map((aaguid) =>
    providerOf(Buffer.from(aaguid.replaceAll('-', ''), 'hex')),
  )
  expect(providers).toEqual(['iCloud Keychain', '1Password', undefined])
})

test('a provider that writes its name into the AAGUID is recognised', () => {
  const named = ['SAMSUNG'.padEnd(16, '\0'), 'ProtonPassProton']
  expect(named.map((name) => providerOf(Buffer.from(name)))).toEqual([
    'Samsung Pass',
    'Proton Pass',
  ])
})

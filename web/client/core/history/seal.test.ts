import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

const page = { component: 'Dashboard', props: { auth: { user: { name: 'Ann – ü' } } } }

function newKey() {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

test('a sealed page can be read with the key that sealed it', async () => {
  const key = await newKey()
  const sealed = await seal(key, page)
  expect(await unseal(key, sealed)).toEqual(page)
})

test('a sealed page cannot be read with another key', async () => {
  const sealed = await seal(await newKey(), page)
  expect(await unseal(await newKey(), sealed)).toBeUndefined()
})

test('sealing the same page again uses a new IV', async () => {
  const key = await newKey()
  const [one, other] = [await seal(key, page), await seal(key, page)]
  expect(one.iv).not.toEqual(other.iv)
  expect(new Uint8Array(one.data)).not.toEqual(new Uint8Array(other.data))
})

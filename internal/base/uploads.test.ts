import { expect, test } from 'vitest'
import { makeUploads } from './uploads.ts'

test('a user can have four uploads at once and all users 32, and one that ends makes room', () => {
  const uploads = makeUploads()
  const enter = (user: number) => uploads.enter(user, `192.0.2.${user}`)
  const ofUser = (user: number) => [1, 2, 3, 4].map(() => enter(user))
  const [leave] = ofUser(1)
  expect(enter(1)).toBeUndefined()
  const others = [2, 3, 4, 5, 6, 7, 8].flatMap(ofUser)
  expect(others).not.toContain(undefined)
  expect(enter(9)).toBeUndefined()
  leave?.()
  // Freeing a place twice frees only one.
  leave?.()
  expect(enter(9)).toBeDefined()
  expect(enter(1)).toBeUndefined()
})

test('an address can have eight uploads at once, whoever its users are', () => {
  const uploads = makeUploads()
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((user) => uploads.enter(user, '192.0.2.1'))
  expect(eight).not.toContain(undefined)
  expect(uploads.enter(9, '192.0.2.1')).toBeUndefined()
  expect(uploads.enter(9, '192.0.2.2')).toBeDefined()
})

test('photos are judged in order, each in its own turn of the event loop, even after a failure', async () => {
  const uploads = makeUploads()
  const order: string[] = []
  const judge = (name: string) =>
    uploads.inTurn(() => {
      order.push(name)
      setImmediate(() => order.push('another'))
      return name
    })
  const failing = uploads.inTurn(() => {
    throw new Error('broken')
  })
  const judgements = [judge('a'), judge('b'), judge('c')]
  expect(order).toEqual([])
  await expect(failing).rejects.toThrow('broken')
  expect(await Promise.all(judgements)).toEqual(['a', 'b', 'c'])
  expect(order.slice(0, 5)).toEqual(['a', 'another', 'b', 'another', 'c'])
})

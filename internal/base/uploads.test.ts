import { expect, test } from 'vitest'
import { makeUploads } from './uploads.ts'

test('a user can have four uploads at once and all users 32, and one that ends makes room', () => {
  const uploads = makeUploads()
  const ofUser = (user: number) => [1, 2, 3, 4].map(() => uploads.enter(user))
  const [leave] = ofUser(1)
  expect(uploads.enter(1)).toBeUndefined()
  const others = [2, 3, 4, 5, 6, 7, 8].flatMap(ofUser)
  expect(others).not.toContain(undefined)
  expect(uploads.enter(9)).toBeUndefined()
  leave?.()
  // Freeing a place twice frees only one.
  leave?.()
  expect(uploads.enter(9)).toBeDefined()
  expect(uploads.enter(1)).toBeUndefined()
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

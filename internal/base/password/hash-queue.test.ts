import { expect, test } from 'vitest'
import { HashesBusy, makeHashQueue } from './hash-queue.ts'

/** Makes work that runs until the test ends it. */
function heldWork() {
  const order: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const work = (name: string) => () => {
    order.push(name)
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    return end.promise
  }
  return { order, work, end: (name: string) => ends.get(name)?.resolve() }
}

test('as many hashes run at once as there are CPUs, and the rest wait in order', async () => {
  const queue = makeHashQueue(2)
  const { order, work, end } = heldWork()
  const runs = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, work(name)))
  expect(order).toEqual(['a', 'b'])
  end('b')
  await runs[1]
  expect(order).toEqual(['a', 'b', 'c'])
  end('a')
  await runs[0]
  expect(order).toEqual(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  await Promise.all(runs)
})

test('a fifth waiting hash of one address is refused, while another address may wait', async () => {
  const queue = makeHashQueue(1)
  const { work, end } = heldWork()
  const first = queue.run('192.0.2.1', work('first'))
  const four = ['1', '2', '3', '4'].map(() => queue.run('192.0.2.1', async () => {}))
  await expect(queue.run('192.0.2.1', async () => {})).rejects.toThrow(HashesBusy)
  const other = queue.run('192.0.2.2', async () => 'other')
  end('first')
  await Promise.all([first, ...four])
  expect(await other).toBe('other')
})

test('a thirty-third waiting hash is refused with a retry after one second', async () => {
  const queue = makeHashQueue(1)
  const { work, end } = heldWork()
  const first = queue.run('first', work('first'))
  const rest = Array.from({ length: 32 }, (_, at) => queue.run(`${at}`, async () => at))
  await expect(queue.run('another', async () => {})).rejects.toMatchObject({ seconds: 1 })
  end('first')
  await first
  expect(await Promise.all(rest)).toEqual(Array.from({ length: 32 }, (_, at) => at))
})

test('a hash that fails lets the next one run', async () => {
  const queue = makeHashQueue(1)
  const failing = queue.run('a', () => Promise.reject(new Error('failed')))
  const next = queue.run('b', async () => 'next')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
  expect(await queue.run('c', async () => 'later')).toBe('later')
})

test('a new hash does not overtake the waiting ones when a slot becomes free', async () => {
  const queue = makeHashQueue(1)
  const { order, work, end } = heldWork()
  const a = queue.run('a', work('a'))
  const b = queue.run('b', work('b'))
  end('a')
  await a
  const c = queue.run('c', work('c'))
  expect(order).toEqual(['a', 'b'])
  end('b')
  await b
  end('c')
  await c
  expect(order).toEqual(['a', 'b', 'c'])
})

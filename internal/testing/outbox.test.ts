import { expect, onTestFinished, test, vi } from 'vitest'
import type { Message } from '../base/mail.ts'
import { Outbox } from './outbox.ts'

const to = (...addresses: readonly string[]) => addresses.map((address) => ({ address }))
const mail = (subject: string, changes: Partial<Message> = {}): Message => ({
  to: to('ann@x.test'),
  subject,
  text: 'Hello',
  ...changes,
})

test('the outbox returns mails in the order they were sent, each once', async () => {
  const outbox = new Outbox()
  await outbox.send(mail('first'))
  await outbox.send(mail('second'))
  expect((await outbox.next()).subject).toBe('first')
  expect((await outbox.next()).subject).toBe('second')
  await outbox.expectNone()
  expect(outbox.mails.map(({ subject }) => subject)).toEqual(['first', 'second'])
})

test('the outbox waits for the next mail', async () => {
  const outbox = new Outbox()
  const coming = outbox.next()
  await outbox.send(mail('late'))
  expect((await coming).subject).toBe('late')
})

test('the next mail to an address is found in To, Cc and Bcc, and mails to others are skipped', async () => {
  const outbox = new Outbox()
  await outbox.send(mail('other'))
  await outbox.send(mail('to', { to: to('bob@x.test') }))
  await outbox.send(mail('cc', { cc: to('Bob@x.test') }))
  await outbox.send(mail('bcc', { bcc: to('bob@x.test') }))
  const found = [await outbox.nextTo('bob@x.test'), await outbox.nextTo('bob@x.test')]
  expect([...found, await outbox.nextTo('bob@x.test')].map(({ subject }) => subject)).toEqual([
    'to',
    'cc',
    'bcc',
  ])
  expect((await outbox.next()).subject).toBe('other')
})

test('waiting fails after five seconds without a mail, and the error lists the mails present', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const outbox = new Outbox()
  await outbox.send(mail('other'))
  const failed = vi.fn<(error: Error) => void>()
  const next = outbox.nextTo('bob@x.test').catch(failed)
  await vi.advanceTimersByTimeAsync(4999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await next
  expect(String(failed.mock.lastCall?.[0])).toBe(
    'Error: No mail came to bob@x.test. Waiting: “other” to ann@x.test.',
  )
})

test('the check for no more mail fails when a mail is sent within the next 100 ms', async () => {
  const outbox = new Outbox()
  const none = outbox.expectNone()
  await outbox.send(mail('late'))
  await expect(none).rejects.toThrow('No mail was to come. Waiting: “late” to ann@x.test.')
})

test('the next mails can be made to fail', async () => {
  const outbox = new Outbox()
  outbox.failNext(2)
  await expect(outbox.send(mail('first'))).rejects.toThrow('told to fail')
  await expect(outbox.send(mail('first'))).rejects.toThrow('told to fail')
  await outbox.send(mail('first'))
  expect(outbox.mails).toHaveLength(1)
})

test('the outbox refuses a mail that SMTP would refuse', async () => {
  await expect(new Outbox().send(mail('Good\nnews'))).rejects.toThrow('line break')
})

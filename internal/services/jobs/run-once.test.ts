import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import type { Job } from '../../db/jobs.ts'
import type { Work } from './job-names.ts'
import { runOnce, whyFailed } from './run-once.ts'

const job: Job = {
  id: 1,
  name: 'ResetMail',
  payload: '{"email":"ann@x.test"}',
  tries: 1,
  error: null,
  failedAt: null,
  createdAt: new Date(),
}

function resetting(run: (email: string) => Promise<void>): Partial<Work> {
  return { ResetMail: { resource: 'mail', run: (_, { email }) => run(email) } }
}

test('a run gets the payload that was pushed, and returns nothing when it succeeds', async () => {
  const app = await testApp()
  const emails: string[] = []
  const work = resetting(async (email) => void emails.push(email))
  expect(await runOnce(app, work, job)).toBeUndefined()
  expect(emails).toEqual(['ann@x.test'])
})

test('a run that hangs fails after two minutes', async () => {
  const app = await testApp()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const run = runOnce(
    app,
    resetting(() => new Promise(() => {})),
    job,
  )
  vi.advanceTimersByTime(120_000)
  expect(whyFailed(await run)).toBe('It took longer than 120 seconds.')
})

test('a run that takes too long is aborted, and can no longer send its mail', async () => {
  const app = await testApp()
  const server = Promise.withResolvers<void>()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const late = Promise.withResolvers<unknown>()
  const work: Partial<Work> = {
    ResetMail: {
      resource: 'mail',
      async run({ mailer }, { email }, signal) {
        await server.promise
        const mail = { to: [{ address: email }], subject: 'Late', text: 'Late.' }
        await mailer.send(mail, signal).catch(late.resolve)
      },
    },
  }
  const run = runOnce(app, work, job)
  vi.advanceTimersByTime(120_000)
  const failed = await run
  server.resolve()
  expect(await late.promise).toBe(failed)
  expect(app.outbox.mails).toEqual([])
})

test('a payload that is not JSON and an error that is undefined count as failures', async () => {
  const app = await testApp()
  const throwing = resetting(() => Promise.reject<void>(undefined))
  expect(await runOnce(app, throwing, job)).toBeInstanceOf(Error)
  const work = resetting(async () => {})
  expect(await runOnce(app, work, { ...job, payload: '{' })).toBeInstanceOf(SyntaxError)
})

test('a job’s error includes its cause and the server’s response, each once', () => {
  const refused = Object.assign(new Error('Message failed: 550 no such user'), {
    response: '550 no such user',
  })
  const dropped = Object.assign(new Error('Connection closed'), { response: '421 too busy' })
  expect(whyFailed(new Error('The mail was not sent.', { cause: refused }))).toBe(
    'The mail was not sent. – Message failed: 550 no such user',
  )
  expect(whyFailed(dropped)).toBe('Connection closed – 421 too busy')
  expect(whyFailed('no')).toBe('no')
  expect(whyFailed({ code: 1 })).toBe('{"code":1}')
  expect(whyFailed(new TypeError())).toBe('TypeError')
})

test('a job’s error is cut to 2,000 characters, also when its causes form a cycle', () => {
  const circle = new Error('x'.repeat(3000))
  circle.cause = circle
  expect(whyFailed(circle)).toBe('x'.repeat(2000))
})

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, serve } from '../../../internal/testing/processes/executable.ts'
import { notifyProgram } from '../../../internal/testing/processes/notify-program.ts'
import { testApp } from '../../../internal/testing/test-app.ts'
import { notifySystemd } from './systemd.ts'

test('systemd gets READY=1 after the start, WATCHDOG=1 while serving and STOPPING=1 at the stop', async () => {
  const notify = notifyProgram()
  const app = await serve({ settings: { ...notify.environment, WATCHDOG_USEC: '400000' } })
  await expect.poll(() => notify.messages().length).toBeGreaterThan(2)
  const messages = new Set(notify.messages())
  const { code, stderr } = await app.stop()
  expect(messages).toEqual(new Set(['READY=1', 'WATCHDOG=1']))
  expect(notify.messages()).toContain('STOPPING=1')
  expect([code, stderr]).toEqual([0, ''])
  expect(notify.variables()).toEqual(new Set(['NOTIFY_SOCKET,PATH']))
})

test('the watchdog is not fed while the database does not answer or when it watches another process', async () => {
  const notify = notifyProgram()
  const app = await testApp()
  await app.db.close()
  const watchdogEnvironment = { ...notify.environment, WATCHDOG_USEC: '20000' }
  const stopping = new AbortController()
  notifySystemd(app, watchdogEnvironment, stopping.signal)
  notifySystemd(
    app,
    { ...watchdogEnvironment, WATCHDOG_PID: String(process.ppid) },
    stopping.signal,
  )
  await expect.poll(() => app.logLines.length).toBeGreaterThan(5)
  stopping.abort()
  await expect.poll(() => notify.messages().length).toBe(4)
  expect(app.logLines[0]).toMatchObject({
    level: 'error',
    message: 'the database does not answer: the watchdog is not fed',
  })
  expect(new Set(notify.messages())).toEqual(new Set(['READY=1', 'STOPPING=1']))
})

test('a program that cannot even be looked up is only warned of, at the start as by the watchdog', async () => {
  const folder = emptyFolder()
  symlinkSync('systemd-notify', join(folder, 'systemd-notify'))
  const app = await testApp()
  const environment = { NOTIFY_SOCKET: '/run/nobody', PATH: folder, WATCHDOG_USEC: '20000' }
  const stopping = new AbortController()
  notifySystemd(app, environment, stopping.signal)
  const words = () => app.logLines.map(({ facts }) => facts['word'])
  await expect.poll(words).toContain('WATCHDOG=1')
  stopping.abort()
  expect(new Set(words())).toEqual(new Set(['READY=1', 'WATCHDOG=1', 'STOPPING=1']))
})

test('the server serves although systemd cannot be notified, and logs a warning', async () => {
  const settings = { NOTIFY_SOCKET: '/run/nobody', PATH: emptyFolder() }
  const app = await serve({ settings })
  const warning = () => app.lines.find(({ message }) => message.includes('systemd could not'))
  await expect.poll(warning).toMatchObject({ level: 'warn' })
  const { status } = await fetch(`${app.origin}/up`)
  expect(status).toBe(200)
})

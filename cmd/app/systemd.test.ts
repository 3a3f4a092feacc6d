import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, serve } from '../../internal/testing/processes/executable.ts'
import { testApp } from '../../internal/testing/test-app.ts'
import { tellSystemd } from './systemd.ts'

test('systemd is told that it serves, then its watchdog is fed, then it is told that it stops', async () => {
  const notify = standIn()
  const app = await serve({ settings: { ...notify.environment, WATCHDOG_USEC: '400000' } })
  await expect.poll(() => notify.told().length).toBeGreaterThan(2)
  const told = new Set(notify.told())
  const { code, stderr } = await app.stop()
  expect(told).toEqual(new Set(['READY=1', 'WATCHDOG=1']))
  expect(notify.told()).toContain('STOPPING=1')
  expect([code, stderr]).toEqual([0, ''])
  expect(notify.given()).toEqual(new Set(['NOTIFY_SOCKET,PATH']))
})

test('the watchdog is not fed while the database does not answer, nor for another process', async () => {
  const notify = standIn()
  const app = await testApp()
  await app.db.close()
  const watched = { ...notify.environment, WATCHDOG_USEC: '20000' }
  const stopping = new AbortController()
  tellSystemd(app, watched, stopping.signal)
  tellSystemd(app, { ...watched, WATCHDOG_PID: String(process.ppid) }, stopping.signal)
  await expect.poll(() => app.logged.length).toBeGreaterThan(5)
  stopping.abort()
  await expect.poll(() => notify.told().length).toBe(4)
  expect(app.logged[0]).toMatchObject({
    level: 'error',
    message: 'the database does not answer: the watchdog is not fed',
  })
  expect(new Set(notify.told())).toEqual(new Set(['READY=1', 'STOPPING=1']))
})

test('it serves all the same where systemd cannot be told', async () => {
  const settings = { NOTIFY_SOCKET: '/run/nobody', PATH: emptyFolder() }
  const app = await serve({ settings })
  const told = () => app.lines.find(({ message }) => message.includes('systemd could not'))
  await expect.poll(told).toMatchObject({ level: 'warn' })
  const { status } = await fetch(`${app.origin}/up`)
  expect(status).toBe(200)
})

/** A program in place of systemd's own that keeps what it is to tell, and the variables that it was given. */
function standIn() {
  const folder = emptyFolder()
  const kept = join(folder, 'kept')
  const program = [
    `#!${process.execPath}`,
    `const words = [process.argv[2], Object.keys(process.env)]`,
    `require('node:fs').appendFileSync(${JSON.stringify(kept)}, words.join(' ') + '\\n')`,
  ]
  writeFileSync(join(folder, 'systemd-notify'), program.join('\n'), { mode: 0o755 })
  const lines = () => (existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : [])
  return {
    environment: { NOTIFY_SOCKET: '/run/stand-in', PATH: folder },
    told: () => lines().map((line) => line.split(' ')[0]),
    given: () => new Set(lines().map((line) => line.split(' ')[1])),
  }
}

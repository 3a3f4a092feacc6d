import { spawn, type SpawnOptions } from 'node:child_process'
import type { App } from '../../../internal/app.ts'
import type { Facts } from '../../../internal/base/log.ts'
import type { Environment } from '../../../internal/base/settings/config.ts'
import { DatabaseBusy } from '../../../internal/db/db.ts'

/**
 * Tells systemd that the service is ready, if the unit asks for that (`Type=notify`), and feeds its watchdog as long
 * as the event loop turns and the database answers or is known to be away; once `stopping` is aborted, tells it that
 * the service is stopping.
 */
export function notifySystemd(
  app: WatchedApp,
  environment: Environment,
  stopping: AbortSignal,
): void {
  if (!environment.NOTIFY_SOCKET) return
  const notify = notifier(app, environment)
  notify('READY=1')
  const interval = feedingInterval(environment)
  const timer = interval ? setInterval(feeder(app, notify), interval) : undefined
  stopping.addEventListener('abort', () => {
    clearInterval(timer)
    notify('STOPPING=1')
  })
}

type WatchedApp = Pick<App, 'db' | 'log'>

type Notify = (word: string) => void

/** Runs systemd's own program to send, since Node has no Unix datagram sockets: the unit says `NotifyAccess=all`. */
function notifier({ log }: WatchedApp, { NOTIFY_SOCKET, PATH }: Environment): Notify {
  const warn = (facts: Facts) => log.warn('systemd could not be told how the service is', facts)
  const options: SpawnOptions = {
    // Without the secrets that the environment may contain.
    env: { NOTIFY_SOCKET, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  }
  return (word) => {
    const failed = (error: unknown) => warn({ word, error })
    try {
      const child = spawn('systemd-notify', [word], options)
      child.on('error', failed)
      child.on('exit', (code) => {
        if (code) warn({ word, code })
      })
      // systemd may be slow to accept it: the service does not wait for that to end.
      child.unref()
    } catch (error) {
      // Not every error is an event: that there is no memory is thrown, for example.
      failed(error)
    }
  }
}

/** Returns the milliseconds between watchdog messages, half of what systemd waits; undefined if it does not. */
function feedingInterval({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): number | undefined {
  const isForUs = !WATCHDOG_PID || Number(WATCHDOG_PID) === process.pid
  const timeout = Number(WATCHDOG_USEC ?? 0)
  return isForUs && timeout > 0 ? timeout / 2000 : undefined
}

function feeder({ db, log }: WatchedApp, notify: Notify): () => Promise<void> {
  let isAway = false
  return async () => {
    try {
      await db.ping()
      isAway = false
    } catch (error) {
      if (!(error instanceof DatabaseBusy))
        return log.error('the database does not answer: the watchdog is not fed', { error })
      // Logged once: so do requests and jobs, but there may be none.
      if (!isAway) log.warn('the database cannot be used', { error })
      isAway = true
    }
    // A restart brings no database back: people would be refused, and not be told to come again.
    notify('WATCHDOG=1')
  }
}
